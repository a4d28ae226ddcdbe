/** Which rows of the route table a path has, and what its parameters are. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routeTable } from '../../server/http/routes/route-table.ts';
import { createRouting } from '../../server/http/pipeline/routing.ts';
import { defaultLimits } from '../../server/start/settings/limits.ts';

const test = suite('routing');
const placesAt = createRouting(routeTable, defaultLimits);

/** The names of the rows at a path, and the parameters of the first one. */
function found(path: string): string {
  const [place, ...others] = placesAt(path);
  if (place === undefined) return 'none';
  const names = [place, ...others].map(({ route }) => route.name).join(', ');
  return [names, ...Object.entries(place.parameters()).map(([name, value]) => `${name}=${value}`)].join(' ');
}

const examples: readonly (readonly [path: string, found: string])[] = [
  ['/', 'home'],
  ['', 'none'],
  ['//', 'none'],
  ['*', 'none'],
  ['/health', 'health'],
  ['/Health', 'none'],
  ['/health/', 'none'],
  ['//health', 'none'],
  ['/openapi.json', 'openapi'],
  ['/openapixjson', 'none'],
  ['/api/aggregates/Bike', 'aggregate agg=Bike'],
  ['/api/aggregates/Bike/', 'none'],
  ['/api/aggregates//b-7', 'none'],
  ['/api/aggregates/Bike/state', 'state agg=Bike'],
  ['/api/aggregates/Bike/events', 'events agg=Bike'],
  ['/api/aggregates/Bike/b-7', 'stream_state agg=Bike id=b-7'],
  ['/api/aggregates/Bike/b%2F7%20%C3%A9', 'stream_state agg=Bike id=b/7 é'],
  ['/api/aggregates/Bike/B-7/', 'none'],
  ['/api/aggregates/Bike/execute', 'none'],
  ['/api/aggregates/Bike/ex%65cute', 'none'],
  ['/api/aggregates/Bike/events/execute', 'stream_events agg=Bike stream_id=execute'],
  ['/api/aggregates/Bike/execute/RegisterBike', 'execute agg=Bike command=RegisterBike'],
  ['/api/subscriptions/S/parked/retry', 'retry_all_parked name=S'],
  ['/api/subscriptions/S/parked/7/retry', 'retry_parked name=S position=7'],
  ['/api/constructor/prototype', 'none'],
  ['/api/aggregates/__proto__/__proto__', 'stream_state agg=__proto__ id=__proto__'],
];

test('a path has the rows whose literal segments it has, and a value for each parameter', () => {
  const twice = [...examples, ...examples]; // the second time from what is remembered
  assert.equal(
    twice.map(([path]) => [path, found(path)]),
    twice,
  );
});

test('every row of the table is found by a path of its own', () => {
  const lost = routeTable.filter((route) => {
    const path = route.path.replaceAll('{position}', '7').replaceAll(/\{\w+\}/g, 'x');
    return !placesAt(path).some((place) => place.route === route);
  });
  assert.equal(
    lost.map(({ name }) => name),
    [],
  );
});

test('a parameter that cannot be one is refused when it is asked for, each time', () => {
  const messages = ['/api/aggregates/Bi-ke/b-7', '/api/aggregates/Bi-ke', '/api/aggregates/Bike/%ff'].flatMap((path) =>
    [1, 2].map(() => {
      const [place] = placesAt(path);
      try {
        return place?.parameters();
      } catch (error) {
        return (error as Error).message;
      }
    }),
  );
  const name = "{agg} in the path takes an identifier of 1 to 63 letters, digits and _, not 'Bi-ke'";
  const text = '{id} in the path is not percent-encoded UTF-8 text without NUL';
  assert.equal(messages, [name, name, name, name, text, text]);
});

test.run();
