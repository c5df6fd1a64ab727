import type { Reporter, TestModule } from 'vitest/node'

const FILES = 12
const seconds = (millis: number): string => (millis / 1000).toFixed(1).padStart(7)

/**
 * Prints the tests that passed only when they were repeated, and, after a run of several files, the seconds of each
 * project and of its slowest files.
 */
export class TimeReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky)
      .map(({ module, fullName }) => `flaky: ${module.relativeModuleId} > ${fullName}\n`)
    process.stdout.write(flaky.join(''))
    if (modules.length < FILES) return
    const rows = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic()
      return {
        project: module.project.name,
        file: module.relativeModuleId,
        millis: collectDuration + duration,
        tests: [...module.children.allTests()].length,
      }
    })
    const lines = Object.entries(Object.groupBy(rows, ({ project }) => project)).flatMap(
      ([project, own = []]) => {
        const slowest = own.toSorted((a, b) => b.millis - a.millis).slice(0, FILES)
        const sum = own.reduce((total, { millis }) => total + millis, 0)
        return [
          `${seconds(sum)} s in ${own.length} files on ${project}; the slowest:`,
          ...slowest.map(
            ({ file, millis, tests }) => `${seconds(millis)} s ${String(tests).padStart(5)} tests  ${file}`,
          ),
        ]
      },
    )
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
