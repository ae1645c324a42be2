/** The environment variable that names the file to write the time of activation to, in ms. */
export const resultVariable = 'KUBEMERGE_ACTIVATION_RESULT';
