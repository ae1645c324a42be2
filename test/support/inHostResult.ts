/** What a run inside the extension host came to. */
export interface InHostResult {
  readonly passed: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
  /** Tests that failed at first and were run again, with what they said. */
  readonly retried: readonly string[];
}

/** Tells the extension host the folder of its VS Code; the result is written there. */
export const editorFolderVariable = 'KUBEMERGE_EDITOR_FOLDER';

/** JSON array of the CommonJS files to run inside the extension host. */
export const inHostFilesVariable = 'KUBEMERGE_IN_HOST_FILES';

/** A regular expression: only tests with matching titles run. */
export const inHostGrepVariable = 'KUBEMERGE_IN_HOST_GREP';

/** How often a test that fails is run again. */
export const inHostRetriesVariable = 'KUBEMERGE_IN_HOST_RETRIES';

/** File name of an InHostResult below the folder of the VS Code. */
export const inHostResultName = 'in-host-result.json';

/** Begins every line that the tests print, to tell them from the lines of VS Code itself. */
export const inHostLineMark = '\u2063';

/** The folder with this project's packages. */
export const inHostPackagesVariable = 'KUBEMERGE_IN_HOST_PACKAGES';
