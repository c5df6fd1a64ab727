import type { AutomationRun, NewAutomation } from '../src/automation/schemas.ts'
import type { Pipeline } from '../src/pipelines/schemas.ts'
import type { Answer } from './client.ts'
import { mainPipeline, PIPELINES } from './pipelines.ts'
import type { World } from './world.ts'

/** A pipeline with its stages in order, and its automation. */
export interface Automated {
  world: World
  pipeline: Pipeline
  /** The ids of its own stages, in order. */
  stages: number[]
  /** The address of its automations. */
  at: string
  /** Adds rules, and returns their ids. */
  rule(...drafts: NewAutomation[]): Promise<number[]>
  /** Adds a lead in a stage, and returns its id. */
  lead(status_id: number, draft?: object): Promise<number>
  move(id: number, status_id: number): Promise<Answer>
  /** The runs, the first one first. */
  runs(query?: string): Promise<AutomationRun[]>
  /** Each run in short: its action, state and reason. */
  outcomes(): Promise<string[]>
  /** Carries out everything that is due. */
  run(): Promise<void>
}

export async function automated(world: World): Promise<Automated> {
  const pipeline = await mainPipeline(world)
  const stages = pipeline._embedded.statuses.filter(({ is_editable }) => is_editable).map(({ id }) => id)
  const at = `${PIPELINES}/${pipeline.id}/automations`
  const { browser } = world.admin
  const must = ({ status, body, text }: Answer) => {
    if (status >= 300) throw new Error(text)
    return body
  }
  const runs = async (query = ''): Promise<AutomationRun[]> => {
    const { status, body } = await browser.get(`${at}/runs?limit=250${query}`)
    return status === 204 ? [] : body._embedded.runs.toReversed()
  }
  return {
    ...{ world, pipeline, stages, at, runs },
    rule: async (...drafts) =>
      must(await browser.post(at, drafts))._embedded.automations.map(({ id }: { id: number }) => id),
    lead: async (status_id, draft = {}) =>
      must(
        await browser.post('/web/v4/leads', [
          { name: 'Deal', pipeline_id: pipeline.id, status_id, ...draft },
        ]),
      )._embedded.leads[0].id,
    move: (id, status_id) => browser.patch(`/web/v4/leads/${id}`, { pipeline_id: pipeline.id, status_id }),
    outcomes: async () =>
      (await runs()).map(({ action, state, reason }) => [action, state, reason].filter(Boolean).join(' ')),
    run: () => world.app.automation.runDue(),
  }
}

/** An action without further effects. */
export const tagging: NewAutomation['action'] = { type: 'change_tags', tags_to_add: ['x'] }
