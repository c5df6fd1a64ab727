import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type InstalledWidget = Schemas['InstalledWidget']
export type WidgetSetting = InstalledWidget['settings_template'][number]
export type WidgetSettings = Record<string, string | Record<string, string>>

/** The widget of an integration with its settings, without passwords; null if it has none. */
export const widgetOptions = (clientId: string) =>
  queryOptions({
    queryKey: ['widget', clientId],
    queryFn: async () =>
      (await dataOf(api.GET('/web/installations/{id}/widget', { params: { path: { id: clientId } } })))
        .widget as (InstalledWidget & { settings: WidgetSettings }) | null,
  })

export type Manifest = Body<'/web/integrations/{id}/widget', 'put'>

/** The description of the widget of an own integration. `id` is the integration. */
export interface DescribedWidget {
  id: string
  manifest: Manifest | null
}

export const manifestOptions = (id: string) =>
  queryOptions({
    queryKey: ['widget', id, 'manifest'],
    queryFn: async (): Promise<DescribedWidget> => ({
      id,
      manifest: (await dataOf(api.GET('/web/integrations/{id}/widget', { params: { path: { id } } }))).widget,
    }),
  })

export const putManifest = mutationOptions({
  mutationFn: async ({ id, ...body }: Manifest & { id: string }): Promise<DescribedWidget> => ({
    id,
    manifest: (await dataOf(api.PUT('/web/integrations/{id}/widget', { params: { path: { id } }, body })))
      .widget,
  }),
  onSuccess: (described) => {
    queryClient.setQueryData(manifestOptions(described.id).queryKey, described)
    return queryClient.invalidateQueries({ queryKey: ['widget'] })
  },
})

/** The installed widgets that rules of stages can call. */
export const callableWidgetsOptions = queryOptions({
  queryKey: ['widget', 'callable'],
  queryFn: async () => (await dataOf(api.GET('/web/widgets/callable'))).widgets,
  staleTime: 0,
})

export const installWidget = (clientId: string, code: string) =>
  mutationOptions({
    mutationFn: (settings: Partial<WidgetSettings>) =>
      dataOf(api.POST('/web/v4/widgets/{code}', { params: { path: { code } }, body: settings })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['widget', clientId] }),
  })

export const uninstallWidget = (clientId: string, code: string) =>
  mutationOptions({
    mutationFn: () => dataOf(api.DELETE('/web/v4/widgets/{code}', { params: { path: { code } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['widget', clientId] }),
  })
