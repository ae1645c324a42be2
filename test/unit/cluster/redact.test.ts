import assert from 'node:assert/strict';
import { displayUrl, toShortText } from '../../../src/cluster/redact.ts';

describe('foreign texts', () => {
  it('lose what looks like a secret', () => {
    const jwt = 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJlMQ';
    for (const text of [
      `token ${jwt}`,
      'Authorization: Bearer s3cret',
      'AWS_SECRET=s3cret failed',
      'password: "s3cret"',
      'http://me:s3cret@proxy:3128 refused',
      `{"client_secret": "s3cret"}`,
    ]) {
      const short = toShortText(text);
      assert.doesNotMatch(short, /s3cret|eyJhb|c2lnb/, short);
    }
  });

  it('keep what a person needs, on one line', () => {
    const text = 'error: sign in at https://login.example.com/device\n  and enter ABCD-1234';
    assert.equal(toShortText(text), 'error: sign in at https://login.example.com/device and enter ABCD-1234');
    assert.equal(toShortText('x'.repeat(400)).length, 300);
  });

  it('a URL is shown without user, password and query', () => {
    assert.equal(displayUrl('http://me:s3cret@proxy:3128/?token=1'), 'http://proxy:3128');
    assert.equal(displayUrl('not a url s3cret'), '…');
  });
});
