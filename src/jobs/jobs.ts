/** The public API of the slice: imports and bulk changes of many records, processed by a worker of the process. */
export { type JobName, jobNamed, nameOfJob } from './batches/new-job.ts'
export { findJob, jobsCausedBy } from './batches/queries.ts'
export { deleteImportFilesOf } from './imports/import-files.ts'
export { createJobRunner } from './runner.ts'
export { jobUpkeep } from './upkeep.ts'
