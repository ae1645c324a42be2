import type { KubeUser } from './kubeconfigModel.ts';

/**
 * Says which credentials of a user the server refused, and how to come by others: one sentence, without a secret.
 * It stands for the server's own words, which are only "Unauthorized".
 */
export function describeRefusedSignIn(user: KubeUser): string {
  const { name, exec, tokenFile, token, username, authProvider, clientCertificate } = user;
  const anew = 'sign in again with the tool that wrote the kubeconfig';
  const refuses = (what: string): string => `the server refuses ${what}`;
  if (tokenFile !== undefined) return `${refuses(`the token in ${tokenFile}`)}: it may have expired`;
  if (token !== undefined) {
    return `${refuses(`the token of user "${name}" in the kubeconfig`)}: it may have expired; ${anew}`;
  }
  if (username !== undefined) return refuses(`the password of user "${name}" in the kubeconfig`);
  if (exec !== undefined) {
    const command = exec.command.split(/[\\/]/).at(-1) ?? exec.command;
    const how =
      exec.interactiveMode === 'Never'
        ? `sign in with the tool that ${command} belongs to`
        : 'run “KubeMerge: Sign In in a Terminal…”';
    return `${refuses(`what the credential plugin ${command} gave for user "${name}"`)}: ${how}`;
  }
  if (authProvider !== undefined) return `${refuses(`the ID token of user "${name}"`)}: ${anew}`;
  if (clientCertificate !== undefined) {
    return `${refuses(`the client certificate of user "${name}"`)}: it may have expired; ${anew}`;
  }
  const who = name === '' ? 'the context names no user' : `user "${name}" has no credentials`;
  return `the server wants a sign-in, and ${who} in the kubeconfig`;
}
