import type { CommandId } from './commandMap.ts';
import { shorten } from './fieldWords.ts';

/** Something to tell the user: what happened first, then what became of the text, then what can be done. */
export interface Notice {
  /** `quiet` belongs in the status bar: nothing needs to be read or done. */
  readonly severity: 'quiet' | 'info' | 'warning' | 'error';
  /** One or a few sentences, one line. */
  readonly message: string;
  /** The first is the one to offer first. */
  readonly actions: readonly NoticeAction[];
}

export interface NoticeAction {
  readonly title: string;
  readonly command: CommandId;
  readonly arguments: readonly (string | boolean)[];
}

/** Longest message that a notification shows whole, in UTF-16 units: VS Code cuts at 1,000, links included. */
const maxShown = 600;

/**
 * The notice as it fits a notification: of a longer one, the beginning and the offer to show all of it.
 *
 * @param keep keeps the whole message; answers with its id
 */
export function fitNotice(notice: Notice, keep: (message: string) => string): Notice {
  const { severity, message, actions } = notice;
  if (severity === 'quiet' || message.length <= maxShown) return notice;
  const showAll = action('Show Full Message', 'kubemerge.showFullMessage', keep(message));
  return { severity, message: shorten(message, maxShown), actions: [showAll, ...actions] };
}

/** A notice as one line with working links, for an error that VS Code shows itself. */
export function printNotice({ message, actions }: Notice): string {
  const links = actions.map(
    ({ title, command, arguments: args }) =>
      `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(args))})`,
  );
  return [message.replaceAll(/\s+/g, ' '), links.join(' · ')].join(' ').trim();
}

export function action(title: string, command: CommandId, ...args: NoticeAction['arguments']): NoticeAction {
  return { title, command, arguments: args };
}
