/** The public API of the slice: long work over many records. Imports and bulk changes, done by a worker of the process. */
export { createJobRunner, type JobRunner } from './runner.ts'
export { jobUpkeep } from './upkeep.ts'
