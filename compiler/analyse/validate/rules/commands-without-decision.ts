import { finding, type Rule } from '../finding.ts';

/** Commands without a decision cannot be executed. */
export const commandsWithoutDecision: Rule = ({ blocks }) => {
  const decided = new Set(blocks.decision.map((decision) => decision.command));
  return blocks.command
    .filter((command) => !decided.has(command.name))
    .map(({ name }) => finding('E1001', `command ${name}`, { command: name }));
};
