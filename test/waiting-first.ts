import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait most of their time: for rate limits, and for the time limits of the server. */
const waiting = ['test/end-to-end/clients.test.ts', 'src/http/slow-clients.test.ts']

/** Starts the files that wait, while the others use the processor, and then in the usual order. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      waiting.some((file) => moduleId.endsWith(file)) ? 0 : 1
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
