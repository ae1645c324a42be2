import fc from 'fast-check';

// The same cases each time, so that a red run is about the change at hand; other cases by KUBEMERGE_SEED=random or a
// number. A failure prints its seed, and becomes a named case.
const wanted = process.env['KUBEMERGE_SEED'] ?? '20261129';
if (wanted !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
