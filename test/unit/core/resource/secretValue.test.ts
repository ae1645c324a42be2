import assert from 'node:assert/strict';
import { readSecretValue, toBase64 } from '../../../../src/core/resource/secretValue.ts';

const encode = (...bytes: readonly number[]): string => Buffer.from(bytes).toString('base64');

describe('readSecretValue', () => {
  it('H1: reads text, empty and of several lines and scripts included', () => {
    for (const text of ['', 'hunter2', 'a\n\tb\r\n', 'пароль ✓ 😀', '\ufeffwith a mark', 'true', '0644']) {
      assert.deepEqual(readSecretValue(toBase64(text)), { kind: 'text', text });
    }
  });

  it('H1: takes for binary what is no UTF-8, and what holds control characters', () => {
    const binaries = [
      [0],
      [0xff, 0xfe],
      [0xc3],
      [0x1b, 0x5b],
      [0xed, 0xa0, 0x80],
      [0x61, 0x00, 0x62],
      [0xc2, 0x85],
    ];
    for (const bytes of binaries) {
      assert.deepEqual(readSecretValue(encode(...bytes)), { kind: 'binary', byteLength: bytes.length });
    }
  });

  it('H1: leaves a base64 alone that encoding would spell otherwise', () => {
    assert.deepEqual(readSecretValue('YQ==\n'), { kind: 'binary', byteLength: 1 });
    assert.deepEqual(readSecretValue('YR=='), { kind: 'binary', byteLength: 1 });
  });

  it('H1: tells what is not base64', () => {
    for (const value of ['plain text', 'YQ', 'YQ=', '====', 'é']) {
      assert.deepEqual(readSecretValue(value), { kind: 'notBase64' });
    }
  });
});
