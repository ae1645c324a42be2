import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly main: string;
  readonly icon?: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents?: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
    }[];
    readonly menus?: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string }[]>
    >;
    readonly keybindings?: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
    readonly views?: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
    readonly viewsWelcome?: readonly { readonly view: string; readonly contents: string }[];
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const sources = globSync('**/*.ts', { cwd: join(root, 'src') }).map((file) =>
  readFileSync(join(root, 'src', file), 'utf8'),
);

/** The ids of the typed command map, read from its source: types are gone at run time. */
function mappedCommands(): readonly string[] {
  const path = join(root, 'src', 'editor', 'commandMap.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext);
  const map = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === 'CommandMap',
  );
  assert.ok(map !== undefined && ts.isInterfaceDeclaration(map));
  return map.members.flatMap((member) =>
    member.name !== undefined && ts.isStringLiteral(member.name) ? [member.name.text] : [],
  );
}

/** The first cells of the table in a section of the README, its head left out. */
function namedInReadme(heading: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf(`${heading}\n`) + heading.length).split('\n## ')[0] ?? '';
  const cells = [...section.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));
  return cells.filter((cell) => !cell.startsWith('---')).slice(1);
}

describe('package.json', () => {
  const contributed = manifest.contributes.commands.map(({ command }) => command);

  it('contributes exactly the commands of the command map', () => {
    assert.deepEqual([...contributed].sort(), [...mappedCommands()].sort());
  });

  it('has each command registered once', () => {
    const registered = sources.flatMap((text) =>
      [...text.matchAll(/\.register\(\s*'(kubemerge\.[\w.]+)'/g)].map((match) => match[1]),
    );
    assert.deepEqual(registered.sort(), [...mappedCommands()].sort());
  });

  it('names each command as the palette groups it', () => {
    for (const { command, title, category } of manifest.contributes.commands) {
      assert.equal(category, 'KubeMerge', command);
      assert.doesNotMatch(title, /^KubeMerge/, command);
    }
  });

  it('offers only its own commands in menus and keybindings', () => {
    const { menus = {}, keybindings = [], viewsWelcome = [] } = manifest.contributes;
    const linked = viewsWelcome.flatMap(({ contents }) =>
      [...contents.matchAll(/\(command:(kubemerge\.[\w.]+)/g)].map((match) => match[1]),
    );
    const used = [...Object.values(menus).flat(), ...keybindings].map(({ command }) => command);
    const own = [...used, ...linked].filter((command) => command?.startsWith('kubemerge.') === true);
    assert.deepEqual(
      own.filter((command) => command !== undefined && !contributed.includes(command)),
      [],
    );
  });

  it('hides each command in the palette where it cannot apply', () => {
    // These ask for all that they need.
    const anywhere = ['chooseKubeconfig', 'create', 'history', 'open', 'signIn', 'tree.refresh'];
    const palette = manifest.contributes.menus?.commandPalette ?? [];
    const shown = contributed.filter((command) => palette.every((entry) => entry.command !== command));
    assert.deepEqual(shown.sort(), anywhere.map((name) => `kubemerge.${name}`).sort());
    for (const { command = '', when = '' } of palette) {
      // A row's command is in its menu and at its end.
      if (when !== 'false')
        assert.match(when, /(?:^|[( ])resourceScheme == k8s|^isMergeEditor && |^kubemerge\.has/, command);
    }
  });

  it('A12: hides what needs an object on the server where it is gone', () => {
    const needing = [
      'save',
      'reload',
      'dryRun',
      'compareWithLive',
      'compareWithSaved',
      'showFullObject',
      'undoSave',
    ];
    const palette = manifest.contributes.menus?.commandPalette ?? [];
    for (const name of needing) {
      const { when = '' } = palette.find(({ command }) => command === `kubemerge.${name}`) ?? {};
      assert.match(when, /&& !\(resourcePath in kubemerge\.deletedPaths\)/, name);
    }
  });

  it('asks in `when` clauses for no key that nothing sets', () => {
    const clauses = JSON.stringify(manifest.contributes.menus).matchAll(/ in (kubemerge\.\w+)/g);
    const keys = new Set([...clauses].map(([, key = '']) => key));
    assert.ok(keys.size > 0);
    for (const key of keys)
      assert.ok(
        sources.some((text) => text.includes(`'${key}'`)),
        key,
      );
  });

  it('contributes no setting that nothing reads', () => {
    const names = Object.keys(manifest.contributes.configuration.properties);
    assert.ok(names.length > 0);
    const unread = names.filter(
      (name) => !sources.some((text) => text.includes(`'${name.replace('kubemerge.', '')}'`)),
    );
    assert.deepEqual(unread, []);
  });

  it('prefixes all that it contributes with its own name', () => {
    const { configuration, views = {} } = manifest.contributes;
    const ids = [
      ...contributed,
      ...Object.keys(configuration.properties),
      ...Object.values(views)
        .flat()
        .map(({ id }) => id),
    ];
    assert.deepEqual(
      ids.filter((id) => !id.startsWith('kubemerge.')),
      [],
    );
  });

  it('starts with what a person opens, never with the editor', () => {
    const events = manifest.activationEvents ?? [];
    assert.deepEqual(
      events.filter((event) => event === '*' || event.startsWith('onStartup')),
      [],
    );
  });

  it('is compiled against the oldest version that it supports', () => {
    assert.equal(`^${manifest.devDependencies['@types/vscode'] ?? ''}`, manifest.engines.vscode);
  });

  it('is told whole in the README: each command of the palette and each setting, and no other', () => {
    const { menus = {}, commands, configuration } = manifest.contributes;
    const hidden = (menus.commandPalette ?? []).filter(({ when }) => when === 'false');
    const shown = commands.filter((one) => hidden.every(({ command }) => command !== one.command));
    assert.deepEqual(
      namedInReadme('## Commands')
        .flatMap((cell) => cell.split(', '))
        .sort(),
      shown.map(({ title }) => title).sort(),
    );
    assert.deepEqual(namedInReadme('## Settings').sort(), Object.keys(configuration.properties).sort());
  });

  it('names icons that exist', () => {
    const icons = JSON.stringify(manifest).matchAll(/"(media\/[^"]+)"/g);
    for (const [, path = ''] of icons) assert.ok(existsSync(join(root, path)), path);
  });
});
