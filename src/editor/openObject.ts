import * as vscode from 'vscode';
import type { Disposable } from '../core/lifecycle.ts';
import type { ResourceRef } from '../core/resource/resourceRef.ts';
import type { Clock } from '../sync/clock.ts';
import { OpenObjectFlow, type OpenObjectFlowOptions } from './openObjectFlow.ts';
import type { PickRow } from './pickStep.ts';

/** Least time between two showings of a list that grows, in ms: thousands of rows take VS Code a while. */
const showPauseMs = 300;

/** This many rows from the end, more are asked for. */
const nearEndRows = 50;

interface PickItem extends vscode.QuickPickItem {
  row: PickRow<unknown>;
}

/** Asks for an object by quick picks. @returns undefined where the user gave up: all requests are ended then */
export function askForObject(options: OpenObjectFlowOptions, clock: Clock): Promise<ResourceRef | undefined> {
  return new Promise((resolve) => {
    const picker = new ObjectPicker(new OpenObjectFlow(options), clock, (ref) => {
      picker.dispose();
      resolve(ref);
    });
    picker.show();
  });
}

/** One quick pick that asks the questions of a flow, one after the other. */
class ObjectPicker implements Disposable {
  readonly #flow: OpenObjectFlow;
  readonly #clock: Clock;
  readonly #onEnd: (ref: ResourceRef | undefined) => void;
  readonly #pick = vscode.window.createQuickPick<PickItem>();
  /** Rows keep their item, so that the one under the cursor stays there. */
  #items = new Map<string, PickItem>();
  #stepListener: Disposable | undefined;
  #pendingShow: Disposable | undefined;
  #shownAt = -Infinity;
  #isOver = false;

  constructor(flow: OpenObjectFlow, clock: Clock, onEnd: (ref: ResourceRef | undefined) => void) {
    this.#flow = flow;
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#pick.matchOnDescription = true;
    this.#pick.keepScrollPosition = true;
    // A credential plugin may open a browser, which takes the focus.
    this.#pick.ignoreFocusOut = true;
    this.#pick.onDidAccept(() => {
      this.#accept();
    });
    this.#pick.onDidTriggerButton(() => {
      this.#flow.back();
      this.#ask();
    });
    this.#pick.onDidChangeValue((typed) => {
      this.#flow.step.typed?.(typed);
      this.#show();
    });
    this.#pick.onDidChangeActive(([active]) => {
      const index = active === undefined ? -1 : this.#pick.items.indexOf(active);
      if (index >= 0 && index >= this.#pick.items.length - nearEndRows) this.#flow.step.nearEnd?.();
    });
    this.#pick.onDidHide(() => {
      this.#end(undefined);
    });
  }

  show(): void {
    // Asked before it is seen: an empty value that comes after would wipe out what was typed at once.
    this.#ask();
    this.#pick.show();
  }

  dispose(): void {
    this.#isOver = true;
    this.#stepListener?.dispose();
    this.#pendingShow?.dispose();
    this.#flow.dispose();
    this.#pick.dispose();
  }

  #end(ref: ResourceRef | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd(ref);
  }

  #accept(): void {
    const [chosen] = this.#pick.selectedItems;
    if (chosen?.row.kind === 'choice') this.#choose(chosen.row.value);
    else if (chosen?.row.kind === 'action') this.#flow.step.run?.(chosen.row.action);
  }

  #choose(value: unknown, isOwnAnswer = false): void {
    const ref = this.#flow.choose(value, isOwnAnswer);
    if (ref === undefined) this.#ask();
    else this.#end(ref);
  }

  /** Turns to the flow's question. */
  #ask(): void {
    const { step, canGoBack } = this.#flow;
    this.#stepListener?.dispose();
    this.#stepListener = step.onDidChange(() => {
      this.#showSoon();
    });
    this.#items = new Map();
    this.#pick.title = step.title;
    this.#pick.placeholder = step.placeholder;
    this.#pick.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
    this.#pick.value = '';
    step.typed?.('');
    this.#show();
  }

  #showSoon(): void {
    if (this.#pendingShow !== undefined) return;
    const pauseMs = Math.max(0, this.#shownAt + showPauseMs - this.#clock.now());
    this.#pendingShow = this.#clock.schedule(pauseMs, () => {
      this.#show();
    });
  }

  #show(): void {
    if (this.#isOver) return;
    this.#pendingShow?.dispose();
    this.#pendingShow = undefined;
    this.#shownAt = this.#clock.now();
    const { rows, isBusy, chosen } = this.#flow.step.view(this.#pick.value);
    if (chosen !== undefined) {
      this.#choose(chosen, true);
      return;
    }
    const [active] = this.#pick.activeItems;
    const items = rows.map((row) => this.#itemOf(row));
    this.#items = new Map(items.map((item) => [keyOf(item.row), item]));
    this.#pick.busy = isBusy;
    this.#pick.items = items;
    // The first row is the cursor's own place; any other was chosen by the user.
    if (active !== undefined && active !== items[0] && items.includes(active))
      this.#pick.activeItems = [active];
  }

  #itemOf(row: PickRow<unknown>): PickItem {
    const item = toItem(row);
    const known = this.#items.get(keyOf(row));
    if (known === undefined || !isSameText(known, item)) return item;
    known.row = row;
    return known;
  }
}

function toItem(row: PickRow<unknown>): PickItem {
  if (row.kind === 'separator') return { label: row.label, kind: vscode.QuickPickItemKind.Separator, row };
  const { label, description, detail, icon, isSticky } = row;
  return {
    label,
    row,
    ...(description === undefined ? {} : { description }),
    ...(detail === undefined ? {} : { detail }),
    ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
    ...(isSticky === true ? { alwaysShow: true } : {}),
  };
}

function keyOf(row: PickRow<unknown>): string {
  return row.kind === 'separator' ? `separator ${row.label}` : row.key;
}

function isSameText(left: PickItem, right: PickItem): boolean {
  return left.label === right.label && left.description === right.description && left.detail === right.detail;
}
