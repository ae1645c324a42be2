import assert from 'node:assert/strict';
import type { FieldCause } from '../../../../src/core/errors.ts';
import { causeProblems } from '../../../../src/core/text/causeProblems.ts';
import { causesFromMessage } from '../../../../src/core/text/serverMessage.ts';

const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  creationTimestamp: nope
  labels:
    a b: c
    tier: true
spec:
  replicaz: 1
  replicas: -1
  selector: {}
  template:
    spec:
      containers:
      - name: a
        image: a
        ports:
        - containerPort: 80
      - name: b
        image: 7
        imagee: x
        ports:
        - containerPort: 99999999999
`;

/** Each problem as `line: marked text: message`. */
function place(causes: readonly FieldCause[], message: string, source = text): readonly string[] {
  return causeProblems(source, causes, message).map(({ range, message: words }) => {
    const line = source.slice(0, range.start).split('\n').length;
    return `${line}: ${source.slice(range.start, range.end)}: ${words}`;
  });
}

function invalid(field: string, message: string, reason = 'FieldValueInvalid'): FieldCause {
  return { field, message, reason };
}

const prefix = 'Deployment in version "v1" cannot be handled as a Deployment: ';

describe('causes of a refused write', () => {
  it('G1: marks the keys of unknown fields', () => {
    const message = `${prefix}strict decoding error: unknown field "spec.template.spec.containers[1].imagee", unknown field "spec.replicaz", unknown field "bogus"`;
    assert.deepEqual(place([], message), [
      '21: imagee: This type has no field imagee.',
      '9: replicaz: This type has no field replicaz.',
      '1: apiVersion: apps/v1: bogus: This type has no field bogus.',
    ]);
  });

  it('G1: marks the value of the wrong type, in the list element that has it', () => {
    const go = (found: string, at: string, type: string): string =>
      `${prefix}json: cannot unmarshal ${found} into Go struct field ${at} of type ${type}`;
    const labels = go('bool', 'ObjectMeta.metadata.labels', 'string');
    assert.deepEqual(place([], labels), ['7: true: This must be a string, but is a boolean.']);
    const image = go('number', 'Container.spec.template.spec.containers.image', 'string');
    assert.deepEqual(place([], image), ['20: 7: This must be a string, but is a number.']);
    const port = go(
      'number 99999999999',
      'ContainerPort.spec.template.spec.containers.ports.containerPort',
      'int32',
    );
    assert.deepEqual(place([], port), [
      '23: 99999999999: 99999999999 is out of the range of this field (int32).',
    ]);
  });

  it('G1: finds the metadata of a custom resource, which is read by itself', () => {
    const message =
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal bool into Go struct field ObjectMeta.labels of type string';
    assert.deepEqual(place([], message), ['7: true: This must be a string, but is a boolean.']);
  });

  it('G4: marks each field that a 422 names, and the nearest parent of one that is missing', () => {
    const causes = [
      invalid('spec.replicas', 'Invalid value: -1: must be greater than or equal to 0'),
      invalid('spec.template.spec.containers[0].image', 'Required value', 'FieldValueRequired'),
      invalid('spec.selector', 'Invalid value: null: field is immutable'),
      invalid('spec.template.spec.containers[1].resources.limits[cpu]', 'must be positive'),
    ];
    assert.deepEqual(place(causes, 'Deployment.apps "x" is invalid: …'), [
      '10: -1: Invalid value: -1: must be greater than or equal to 0',
      '16: a: Required value',
      '11: {}: Invalid value: null: field is immutable',
      '19: name: b: spec.template.spec.containers[1].resources.limits[cpu]: must be positive',
    ]);
  });

  it('G4: marks the key that a message about a mapping quotes', () => {
    const cause = invalid('metadata.labels', 'Invalid value: "a b": name part must consist of …');
    assert.deepEqual(place([cause], ''), ['6: a b: Invalid value: "a b": name part must consist of …']);
  });

  it('marks the keys of a mapping of several lines, not all of it', () => {
    assert.deepEqual(place([invalid('spec.template', 'field is immutable')], ''), [
      '12: template: field is immutable',
    ]);
  });

  it('finds a time that could not be read by its text', () => {
    const message = `${prefix}parsing time "nope" as "2006-01-02T15:04:05Z07:00": cannot parse "nope" as "2006"`;
    assert.deepEqual(place([], message), ['4: nope: "nope" is not a time such as 2024-01-02T03:04:05Z.']);
  });

  it('shows what names no field at the first line, and also for a text that cannot be parsed any more', () => {
    assert.deepEqual(place([], 'no such luck'), ['1: apiVersion: apps/v1: no such luck']);
    assert.deepEqual(place([invalid('', 'bad')], 'all bad'), ['1: apiVersion: apps/v1: bad']);
    assert.deepEqual(place([invalid('spec.a', 'bad')], '', 'a: [\nb: 1\n'), ['1: a: [: spec.a: bad']);
    assert.deepEqual(place([], '', ''), ['1: : ']);
  });
});

describe('causesFromMessage', () => {
  it('reads strict decoding errors', () => {
    assert.deepEqual(
      causesFromMessage(
        `${prefix}strict decoding error: unknown field "spec.a[0].b", duplicate field "spec.c"`,
      ),
      [
        { field: 'spec.a[0].b', message: 'This type has no field b.', reason: 'FieldUnknown' },
        { field: 'spec.c', message: 'The field c is set more than once.', reason: 'FieldValueDuplicate' },
      ],
    );
  });

  const types: readonly (readonly [string, string])[] = [
    ['string into Go struct field A.spec.b of type int32', 'This must be an integer, but is a string.'],
    ['number into Go struct field A.spec.b of type string', 'This must be a string, but is a number.'],
    ['number 1.5 into Go struct field A.spec.b of type int32', 'This must be an integer, but is 1.5.'],
    ['object into Go struct field A.spec.b of type []v1.Container', 'This must be a list, but is a mapping.'],
    ['string into Go struct field A.spec.b of type v1.Container', 'This must be a mapping, but is a string.'],
    [
      'array into Go struct field A.spec.b of type map[string]string',
      'This must be a mapping, but is a list.',
    ],
    ['string into Go struct field A.spec.b of type bool', 'This must be a boolean, but is a string.'],
    ['string into Go struct field A.spec.b of type float64', 'This must be a number, but is a string.'],
  ];
  for (const [part, message] of types) {
    it(`reads "cannot unmarshal ${part}"`, () => {
      assert.deepEqual(causesFromMessage(`${prefix}json: cannot unmarshal ${part}`), [
        { field: 'spec.b', message, reason: 'FieldValueTypeInvalid' },
      ]);
    });
  }

  it('is empty for messages that name no field', () => {
    assert.deepEqual(causesFromMessage('illegal base64 data at input byte 5'), []);
    assert.deepEqual(causesFromMessage(''), []);
  });
});
