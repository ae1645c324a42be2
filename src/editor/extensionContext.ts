export type { ExtensionContext } from 'vscode';
