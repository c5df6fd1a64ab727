import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait most of their time: for rate limits, and for the time limits of the server. */
const waiting = ['test/end-to-end/clients.test.ts', 'src/http/slow-clients.test.ts']

/** Tests of the whole program and of crashes: their files are small, but take longest. */
const long = /^test\/|crash/

/**
 * Starts the files that wait, while the others use the processor. Those of each project follow together, because its
 * threads are kept only from one of its files to the next: first the long ones, so that no thread is left alone with one
 * at the end, and then in the usual order.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const rank = ({ moduleId, project }: TestSpecification) => {
      const file = relative(project.config.root, moduleId)
      if (waiting.includes(file)) return -1
      return projects.indexOf(project.name) * 2 + (long.test(file) ? 0 : 1)
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
