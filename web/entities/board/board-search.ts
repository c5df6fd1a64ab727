import type { Pipeline, Stage } from '../../data/pipelines.ts'

type Search = Readonly<Record<string, string>>

const PIPELINE = /^filter\[pipeline_id\]/
const STAGES = /^filter\[statuses\]/
/** Search parameters about display, not about filters. */
const DISPLAY = /^(?:shape|view|columns|order\[.*)$/

/** The filters of a board besides its pipeline and stages. */
export const narrowedBy = (search: Search): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) => value !== '' && ![PIPELINE, STAGES, DISPLAY].some((owns) => owns.test(name)),
    ),
  )

/** The pipeline in the address, or that of its stages, or the main pipeline. */
export function pipelineOf(search: Search, pipelines: Pipeline[]): Pipeline | undefined {
  const named = Object.entries(search).find(
    ([name]) => PIPELINE.test(name) || (STAGES.test(name) && name.endsWith('[pipeline_id]')),
  )
  const id = Number(named?.[1].split(',')[0])
  return pipelines.find((one) => one.id === id) ?? pipelines.find(({ is_main }) => is_main)
}

/** The stages with a column: those in the address, or all. */
export function stagesOf(search: Search, pipeline: Pipeline): Stage[] {
  const stages = pipeline._embedded.statuses
  const named = new Set(
    Object.entries(search)
      .filter(([name]) => STAGES.test(name) && name.endsWith('[status_id]'))
      .map(([, value]) => Number(value)),
  )
  const chosen = stages.filter(({ id }) => named.has(id))
  return chosen.length > 0 ? chosen : stages
}
