/** A pod as small as one may be. */
export function podOf(name: string): unknown {
  return { metadata: { name }, spec: { containers: [{ name: 'app', image: 'example.com/app:1' }] } };
}
