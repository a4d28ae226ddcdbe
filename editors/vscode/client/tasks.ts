/** The commands of the tool as tasks of each project; their findings become problems. */
import { dirname, relative } from 'node:path';
import {
  ProcessExecution,
  Task,
  TaskGroup,
  tasks,
  workspace,
  type Disposable,
  type ExtensionContext,
  type TaskDefinition,
  type WorkspaceFolder,
} from 'vscode';
import { nodeEnvironment, toolFor } from './tool.ts';

interface SchemacTask extends TaskDefinition {
  readonly command: string;
  readonly paths?: readonly string[];
}

/** Leaves out `build`: only a project that has the tool installed can use generated files, and such a project has its own scripts. */
const offered = ['check', 'validate', 'test', 'fmt'] as const;

export function addTasks(context: ExtensionContext): Disposable {
  return tasks.registerTaskProvider('schemac', {
    provideTasks: async () => {
      if (!workspace.isTrusted) return [];
      const configurations = await workspace.findFiles('**/schemac.config.json', '**/node_modules/**');
      return configurations.flatMap((configuration) => {
        const folder = workspace.getWorkspaceFolder(configuration);
        if (folder === undefined) return [];
        const project = dirname(configuration.fsPath);
        const inside = relative(folder.uri.fsPath, project);
        return offered.map((command) => taskOf(context, folder, { type: 'schemac', command }, project, inside));
      });
    },
    resolveTask: (task) => {
      const { definition, scope } = task;
      if (!isOurs(definition) || typeof scope !== 'object') return undefined;
      return taskOf(context, scope, definition, scope.uri.fsPath, '');
    },
  });
}

function isOurs(definition: TaskDefinition): definition is SchemacTask {
  return offered.some((command) => command === definition['command']);
}

function taskOf(
  context: ExtensionContext,
  folder: WorkspaceFolder,
  definition: SchemacTask,
  project: string,
  inside: string,
): Task {
  const { command, paths = [] } = definition;
  const environment = Object.entries(nodeEnvironment(context)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const words = [toolFor(context, [project]), command, ...paths];
  const execution = new ProcessExecution(process.execPath, words, {
    cwd: project,
    env: Object.fromEntries(environment),
  });
  const name = inside === '' ? command : `${command} ${inside}`;
  const task = new Task(definition, folder, name, 'schemac', execution, '$schemac');
  if (command === 'check') task.group = TaskGroup.Build;
  if (command === 'test') task.group = TaskGroup.Test;
  return task;
}
