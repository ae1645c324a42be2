import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event } from '../core/lifecycle.ts';
import { allTabs, urisOf } from './tabs.ts';

/** Which documents a tab shows. VS Code keeps a closed one for some minutes. */
export interface ShownDocuments {
  /** Fires with the documents of tabs that were opened or closed. */
  readonly onDidChange: Event<readonly vscode.Uri[]>;
  isShown(uri: vscode.Uri): boolean;
}

/** The documents in the tabs of this window. */
export class DocumentTabs implements ShownDocuments, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<readonly vscode.Uri[]>());

  readonly onDidChange = this.#changes.event;

  constructor() {
    this.#owned.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        this.#changes.fire([...opened, ...closed].flatMap(urisOf));
      }),
    );
  }

  isShown(uri: vscode.Uri): boolean {
    const key = uri.toString();
    return allTabs().some((tab) => urisOf(tab).some((shown) => shown.toString() === key));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
