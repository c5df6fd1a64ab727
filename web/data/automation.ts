import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { Saved } from './saved.ts'

export type Automation = Schemas['Automation']
export type AutomationRun = Schemas['AutomationRun']
export type Action = Schemas['AutomationAction']
export type ActionType = Action['type']
export type AutomationDraft = Schemas['NewAutomation']

/** The rules of a pipeline, in their order. */
export const automationsOptions = (pipeline_id: number) =>
  queryOptions({
    queryKey: ['automations', pipeline_id],
    queryFn: () =>
      readRows(
        api.GET('/web/v4/leads/pipelines/{pipeline_id}/automations', { params: { path: { pipeline_id } } }),
        ({ automations }) => automations,
      ),
  })

/** The runs of the rules of a pipeline, the latest first; of one rule, if it is given. */
export const automationRunsOptions = (pipeline_id: number, id: number | undefined) =>
  infiniteQueryOptions({
    queryKey: ['automation-runs', pipeline_id, id],
    ...pagesOf((next) =>
      readPage(
        api.GET('/web/v4/leads/pipelines/{pipeline_id}/automations/runs', {
          params: {
            path: { pipeline_id },
            query: next ?? (id === undefined ? {} : { 'filter[automation_id]': id }),
          },
        }),
        ({ runs }) => runs,
      ),
    ),
    staleTime: 0,
  })

const settle = () => queryClient.invalidateQueries({ queryKey: ['automations'] })

interface Named {
  pipeline_id: number
  id: number
}

export const saveAutomation = mutationOptions({
  mutationFn: ({
    pipeline_id,
    id,
    ...body
  }: Saved<AutomationDraft> & { pipeline_id: number }): Promise<unknown> =>
    id === undefined
      ? api.POST('/web/v4/leads/pipelines/{pipeline_id}/automations', {
          params: { path: { pipeline_id } },
          body: [body as AutomationDraft],
        })
      : patch({ pipeline_id, id }, body),
  onSuccess: settle,
})

export const enableAutomation = mutationOptions({
  mutationFn: ({ is_enabled, ...named }: Named & { is_enabled: boolean }) => patch(named, { is_enabled }),
  onSuccess: settle,
})

const patch = (path: Named, body: Schemas['AutomationPatch']) =>
  api.PATCH('/web/v4/leads/pipelines/{pipeline_id}/automations/{id}', { params: { path }, body })

export const removeAutomation = mutationOptions({
  mutationFn: (path: Named) =>
    api.DELETE('/web/v4/leads/pipelines/{pipeline_id}/automations/{id}', { params: { path } }),
  onSuccess: settle,
})
