import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface IssueOptions {
  readonly commonName: string;
  /** Organizations: the API server reads them as groups. */
  readonly groups?: readonly string[];
  readonly hosts?: readonly string[];
  readonly addresses?: readonly string[];
  /** Absent for one that holds for a day. */
  readonly notAfter?: Date;
}

/** A certificate authority of a test's own. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  issue(options: IssueOptions): Promise<IssuedCertificate>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 24 * 3600 * 1000;

export async function makeAuthority(): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test authority',
    keys,
    signingAlgorithm: algorithm,
    ...validity(),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    certificate: certificate.toString('pem'),
    issue: async ({ commonName, groups = [], hosts = [], addresses = [], notAfter }) => {
      const own = await makeKeys();
      const names = [
        ...hosts.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ];
      const issued = await x509.X509CertificateGenerator.create({
        subject: [{ CN: [commonName] }, ...groups.map((group) => ({ O: [group] }))],
        issuer: certificate.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        ...validity(notAfter),
        extensions: [
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage.clientAuth,
            x509.ExtendedKeyUsage.serverAuth,
          ]),
          ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
        ],
      });
      return { certificate: issued.toString('pem'), key: await printKey(own.privateKey) };
    },
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validity(notAfter?: Date): { notBefore: Date; notAfter: Date } {
  const end = notAfter ?? new Date(Date.now() + dayMs);
  return { notBefore: new Date(Math.min(Date.now(), end.getTime()) - dayMs), notAfter: end };
}

async function printKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}
