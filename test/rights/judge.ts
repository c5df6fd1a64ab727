import type { Answered, Cell } from './cells.ts'
import { leaksIn, missesIn } from './leaks.ts'
import type { Scene } from './scene.ts'

/** How many requests are under way at once. */
const AT_ONCE = 6

/** Answers in the order of the cells. */
export async function inParallel(
  cells: Cell[],
  send: (cell: Cell) => Promise<Answered>,
): Promise<Answered[]> {
  const answers: Answered[] = []
  const rest = [...cells.entries()]
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) answers[next[0]] = await send(next[1])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return answers
}

/** An empty list is 204 (V4); that it had to show something is what missesIn says. */
const isFoundless = ({ method }: Cell, { status }: Answered): boolean => method === 'GET' && status === 204

/** What is wrong with an answer: its status, what it does not show, what it tells of others; by the cell's name. */
export function faultsOf(scene: Scene, cell: Cell, answer: Answered): string[] {
  const { name, expected } = cell
  const leaks = leaksIn(scene, cell, answer)
  return [
    ...(answer.status === expected || (isFoundless(cell, answer) && expected === 200)
      ? []
      : [`${name}: ${answer.status} and not ${expected}: ${answer.text.slice(0, 300)}`]),
    ...missesIn(cell, answer).map((miss) => `${name}: ${miss}: ${answer.text.slice(0, 300)}`),
    ...(leaks.length === 0 ? [] : [`${name}: tells of ${leaks.join(', ')}`]),
  ]
}
