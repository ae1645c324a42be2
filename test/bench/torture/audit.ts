import type { UserEntry, WriterEntry } from './journal.ts';

/** One version of an object, as the server's watch told it. */
export interface Version {
  readonly object: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Printed path → JSON of the value. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A PUT that came through the proxy. */
export interface SentPut {
  readonly user: string;
  readonly object: string;
  /** Empty where the body had none. */
  readonly resourceVersion: string;
  readonly uid: string;
  /** It asked what a save would do, and changes nothing. */
  readonly isDryRun: boolean;
  /** Of the server's answer; undefined where the proxy saw none. */
  readonly status: number | undefined;
  readonly atMs: number;
}

export interface Evidence {
  /** All versions of all objects, in the order of the watch. */
  readonly versions: readonly Version[];
  readonly puts: readonly SentPut[];
  readonly writers: readonly WriterEntry[];
  readonly users: readonly UserEntry[];
}

/** Something that must not happen. */
export interface Finding {
  readonly kind: 'overwritten' | 'missing' | 'unconditional' | 'unexplained' | 'textLost';
  readonly message: string;
}

interface Transition {
  readonly before: Version;
  readonly after: Version;
}

/**
 * Reads the server's own history against what everyone said they did: a field may go from one value to another in
 * a write of the extension only where its user typed the new value and had the old one in front of them, or
 * recorded a choice over it; and what was acknowledged must be in the history.
 */
export function audit(evidence: Evidence): readonly Finding[] {
  const { versions, puts, users } = evidence;
  return [
    ...findUnconditional(puts),
    ...transitionsOf(versions).flatMap((transition) => auditTransition(transition, evidence)),
    ...findMissing(evidence),
    ...users.flatMap((entry): Finding[] =>
      entry.kind === 'textLost'
        ? [
            {
              kind: 'textLost',
              message: `${entry.user} had typed ${entry.typed} at ${entry.path} of ${entry.object}, and found ${entry.found}`,
            },
          ]
        : [],
    ),
  ];
}

function findUnconditional(puts: readonly SentPut[]): readonly Finding[] {
  return puts
    .filter(({ resourceVersion, uid }) => uid === '' || resourceVersion === '' || resourceVersion === '0')
    .map(({ user, object }) => ({ kind: 'unconditional', message: `${user} sent a PUT of ${object}` }));
}

function transitionsOf(versions: readonly Version[]): readonly Transition[] {
  const latest = new Map<string, Version>();
  return versions.flatMap((after) => {
    const key = `${after.object} ${after.uid}`;
    const before = latest.get(key);
    latest.set(key, after);
    return before === undefined ? [] : [{ before, after }];
  });
}

function auditTransition({ before, after }: Transition, evidence: Evidence): readonly Finding[] {
  const isWriters = evidence.writers.some(
    ({ object, resourceVersion }) => object === after.object && resourceVersion === after.resourceVersion,
  );
  if (isWriters) return [];
  const candidates = evidence.puts.filter(
    ({ object, resourceVersion, uid, status, isDryRun }) =>
      !isDryRun &&
      object === after.object &&
      uid === after.uid &&
      resourceVersion === before.resourceVersion &&
      (status === undefined || status < 300),
  );
  const changes = changesOf(before, after);
  if (candidates.length === 0) {
    const message = `nobody says to have made ${after.resourceVersion} of ${after.object}: ${printChanges(changes)}`;
    return [{ kind: 'unexplained', message }];
  }
  // Where an answer was lost, the same text may have been sent twice on the same version.
  const findings = candidates.map((put) =>
    changes.flatMap((change) => auditChange(change, put, after, evidence)),
  );
  return findings.toSorted((left, right) => left.length - right.length)[0] ?? [];
}

function auditChange(
  { path, from, to }: FieldChange,
  put: SentPut,
  { resourceVersion }: Version,
  { users }: Evidence,
): readonly Finding[] {
  const shown = new Set<string | null>();
  const written = new Set<string | null>();
  const overridden = new Set<string | null>();
  for (const entry of users) {
    if (entry.user !== put.user || entry.object !== put.object || entry.atMs > put.atMs) continue;
    if (entry.kind === 'keptMine' && entry.path === path) {
      shown.add(entry.over);
      overridden.add(entry.over);
    }
    // Taking back a save gives the value again over which it was decided.
    if (entry.kind === 'undoneSave') for (const value of overridden) written.add(value);
    if (entry.kind === 'tookLive' && entry.path === path) written.add(entry.value);
    if (entry.kind !== 'typed' || entry.path !== path) continue;
    shown.add(entry.from);
    // What the user had typed and saved is the user's to take back, and so is its undoing.
    shown.add(entry.to);
    written.add(entry.to);
    written.add(entry.from);
  }
  if (shown.has(from) && written.has(to)) return [];
  const reason = written.has(to) ? 'never had the former in front of them' : 'never typed the latter';
  const message = `${path} of ${put.object} went from ${from} to ${to} in ${resourceVersion} by ${put.user}, who ${reason}`;
  return [{ kind: 'overwritten', message }];
}

function findMissing({ versions, writers, users }: Evidence): readonly Finding[] {
  const held = new Map<string, Map<string, Set<string | null>>>();
  const byVersion = new Map<string, Version>();
  const paths = new Map<string, Set<string>>();
  for (const { object, fields } of versions) {
    const known = paths.get(object) ?? new Set();
    for (const path of fields.keys()) known.add(path);
    paths.set(object, known);
  }
  for (const version of versions) {
    byVersion.set(`${version.object} ${version.resourceVersion}`, version);
    const values = held.get(version.object) ?? new Map<string, Set<string | null>>();
    held.set(version.object, values);
    for (const path of paths.get(version.object) ?? []) {
      values.set(path, (values.get(path) ?? new Set()).add(version.fields.get(path) ?? null));
    }
  }
  const findings: Finding[] = [];
  for (const { object, resourceVersion, change } of writers) {
    if (change === undefined) continue;
    const version = byVersion.get(`${object} ${resourceVersion}`);
    if (version !== undefined && (version.fields.get(change.path) ?? null) === change.value) continue;
    const message = `a writer's ${change.path} = ${change.value} of ${object} is not in version ${resourceVersion}`;
    findings.push({ kind: 'missing', message });
  }
  for (const entry of users) {
    if (entry.kind !== 'acknowledged') continue;
    for (const [path, value] of Object.entries(entry.values)) {
      if (held.get(entry.object)?.get(path)?.has(value) === true) continue;
      const message = `${entry.user} was told that ${path} = ${value} of ${entry.object} is saved, and no version has it`;
      findings.push({ kind: 'missing', message });
    }
  }
  return findings;
}

interface FieldChange {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

function changesOf(before: Version, after: Version): readonly FieldChange[] {
  const paths = new Set([...before.fields.keys(), ...after.fields.keys()]);
  return [...paths]
    .map((path) => ({ path, from: before.fields.get(path) ?? null, to: after.fields.get(path) ?? null }))
    .filter(({ from, to }) => from !== to);
}

function printChanges(changes: readonly FieldChange[]): string {
  return changes.map(({ path, from, to }) => `${path}: ${from} → ${to}`).join(', ');
}
