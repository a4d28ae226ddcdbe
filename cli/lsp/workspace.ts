/** The open texts and the projects that they belong to. Takes what an editor says, gives the project of a text; knows nothing of requests. */
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { SourceFile } from '../../compiler/index.ts';
import { pathOfUri, uriOfPath } from './file-uri.ts';
import { createLoneProject, createProject, type Project } from './project.ts';
import { configName, findConfig, readProjectPaths, realPathOf } from './project-files.ts';

export interface OpenText {
  readonly uri: string;
  readonly version: number;
  readonly file: SourceFile;
}

export interface Workspace {
  /** Texts of other schemes than `file:` and `untitled:` are not ours: versions of a file in a history, for example. */
  readonly open: (uri: string, version: number, text: string) => OpenText | undefined;
  readonly change: (
    uri: string,
    version: number,
    changes: readonly TextDocumentContentChangeEvent[],
  ) => OpenText | undefined;
  readonly close: (uri: string) => void;
  readonly textOf: (uri: string) => OpenText | undefined;
  readonly projectOf: (name: string) => Project;
  readonly projects: () => readonly Project[];
  /** Files were written, made or removed; a changed configuration makes its project again. */
  readonly diskChanged: (paths: readonly string[]) => void;
  /** Configurations that cannot be used and files that cannot be read, and why. */
  readonly problems: () => readonly { readonly uri: string; readonly message: string }[];
  readonly uriOf: (name: string) => string;
}

export function createWorkspace(): Workspace {
  const documents = new Map<string, TextDocument>();
  const texts = new Map<string, OpenText>();
  /** By name. */
  const open = new Map<string, SourceFile>();
  const uris = new Map<string, string>();
  const configured = new Map<string, Project>();
  const problems = new Map<string, string>();
  const lone = new Map<string, Project>();
  const configs = new Map<string, string | undefined>();

  const configOf = (name: string): string | undefined => {
    if (!configs.has(name)) configs.set(name, name.startsWith('untitled:') ? undefined : findConfig(name));
    return configs.get(name);
  };
  const configuredProject = (config: string): Project => {
    const known = configured.get(config);
    if (known !== undefined) return known;
    const paths = readProjectPaths(config);
    if (paths.problem === undefined) problems.delete(config);
    else problems.set(config, paths.problem);
    const made = createProject(paths, open, (name) => configOf(name) === config);
    configured.set(config, made);
    return made;
  };
  const loneProject = (name: string): Project => {
    const known = lone.get(name) ?? createLoneProject(name, open);
    lone.set(name, known);
    return known;
  };
  const projectOf = (name: string): Project => {
    const config = configOf(name);
    if (config === undefined) return loneProject(name);
    const project = configuredProject(config);
    // Without a schema in the configuration each file is a compilation of its own.
    return project.has(name) ? project : loneProject(name);
  };
  const put = (document: TextDocument): OpenText => {
    const name = nameOf(document.uri);
    // An editor that saves such a text writes the replacement character.
    const file = { name, text: document.getText().replace(/\p{Surrogate}/gu, '\ufffd') };
    const text = { uri: document.uri, version: document.version, file };
    const isNew = !open.has(name);
    texts.set(document.uri, text);
    open.set(name, file);
    uris.set(name, document.uri);
    if (isNew) configs.delete(name);
    touch(name);
    return text;
  };
  const touch = (name: string): void => {
    const config = configOf(name);
    if (config !== undefined) configuredProject(config).textChanged();
    lone.get(name)?.textChanged();
  };

  return {
    open: (uri, version, text) => {
      if (!/^(file|untitled):/i.test(uri) || (/^file:/i.test(uri) && pathOfUri(uri) === undefined)) return undefined;
      const document = TextDocument.create(uri, 'schemac', version, text);
      documents.set(uri, document);
      return put(document);
    },
    change: (uri, version, changes) => {
      const document = documents.get(uri);
      if (document === undefined) return undefined;
      return put(TextDocument.update(document, [...changes], version));
    },
    close: (uri) => {
      const text = texts.get(uri);
      documents.delete(uri);
      texts.delete(uri);
      if (text === undefined) return;
      const { name } = text.file;
      open.delete(name);
      uris.delete(name);
      touch(name);
      lone.delete(name);
    },
    textOf: (uri) => texts.get(uri),
    projectOf,
    projects: () => [...configured.values(), ...lone.values()],
    diskChanged: (paths) => {
      if (paths.some((path) => path.endsWith(configName))) {
        configured.clear();
        problems.clear();
        configs.clear();
        lone.clear();
        for (const name of open.keys()) projectOf(name);
      }
      for (const project of configured.values()) project.diskChanged();
    },
    problems: () => [
      ...Array.from(problems, ([path, message]) => ({ uri: uriOfPath(path), message })),
      ...Array.from(configured.values()).flatMap((project) =>
        project.unread().map(({ name, message }) => ({ uri: uriOfPath(name), message })),
      ),
    ],
    uriOf: (name) => uris.get(name) ?? (name.startsWith('untitled:') ? name : uriOfPath(name)),
  };
}

function nameOf(uri: string): string {
  const path = pathOfUri(uri);
  return path === undefined ? uri : realPathOf(path);
}
