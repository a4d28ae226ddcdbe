/** The groups of nodes that all reach each other (strongly connected components, by Tarjan); a node alone is none. */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    low.set(node, order.get(node) ?? 0);
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      const reached = !order.has(next) ? visit(next) : open.includes(next) ? (order.get(next) ?? 0) : Infinity;
      low.set(node, Math.min(low.get(node) ?? 0, reached));
    }
    if (low.get(node) === order.get(node)) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) found.push(circle.sort());
    }
    return low.get(node) ?? 0;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}
