import fc from 'fast-check';

/**
 * Names as a kubeconfig or an API may have them: legal ones, those that look like paths, and any string at all,
 * control characters and halves of surrogate pairs included.
 */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/),
  fc.string({ minLength: 1, unit: 'binary' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    'system:node',
    'system:controller:bootstrap-signer',
    '%2F',
    '%u002f',
    '..',
    '.',
    '-',
    'a/b',
    'ns/api:6443/user@x',
    'arn:aws:eks:eu-west-1:1:cluster/a',
    '\ud800',
    'a\udfff%',
    '\ud83d\ude00',
    'a\u0000b\u001f\u007f\u0085',
    'a\u202eb\u2028',
    'C:\\Users\\x',
  ),
);
