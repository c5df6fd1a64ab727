/** The public API of the slice: pipelines, stages, loss reasons and customer stages. */

export { seedPipelines } from './first-pipeline.ts'
export { findLossReasons, knownLossReasons } from './loss-reason-queries.ts'
export { accountsWithoutPipelines } from './pipeline-queries.ts'
export {
  addPipelines,
  changePipelines,
  listPipelines,
  type PipelineWithStages,
  removePipeline,
} from './pipeline-settings.ts'
export { addStages, changeStages } from './stage-settings.ts'
export { findStageTitles, type StageTitles } from './stage-titles.ts'
export type { StageUse } from './stage-use.ts'
export {
  findCustomerStages,
  findStages,
  holdCustomerStages,
  holdStages,
  LOST,
  type StageOfPipeline,
  type Stages,
  WON,
} from './stages.ts'
