import type { JsonObject } from '../../src/core/json.ts';

/** A CustomResourceDefinition of about this many KB of YAML: thousands of nested properties. */
export function bigDefinition(kilobytes: number): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'big', uid: 'u', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: properties(Math.max(1, Math.round(kilobytes / 6.8)), 2),
            },
          },
        },
      ],
    },
  };
}

function properties(count: number, depth: number): JsonObject {
  const leaf = {
    type: 'string',
    description: 'A field, and a sentence of some length that says what it is for.',
  };
  return Object.fromEntries(
    Array.from({ length: count }, (_item, index) => [
      `field${index}`,
      depth === 0
        ? leaf
        : { type: 'object', description: leaf.description, properties: properties(6, depth - 1) },
    ]),
  );
}
