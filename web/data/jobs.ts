import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, fileBody, type QueryOf, query, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { CardKind } from './records.ts'

export type Job = Schemas['Job']
export type JobSummary = Schemas['JobSummary']
export type ImportPatch = Schemas['JobsUpdateBody']
export type NewBulkChange = Schemas['JobsBulkChangesCreateBody']
export type ReportedRow = Schemas['JobReportListResponse']['_embedded']['rows'][number]
export type Import = NonNullable<Job['import']>
export type Target = Import['targets'][number]
export type PreviewRow = Schemas['JobPreviewGetResponse']['_embedded']['rows'][number]
export type Reported = NonNullable<QueryOf<'/web/v4/jobs/{id}/report'>['filter[outcome]']>[number]
export type ImportedKind = Extract<CardKind, 'contacts' | 'companies' | 'leads'>

export const importedKinds: ImportedKind[] = ['contacts', 'companies', 'leads']

/** Milliseconds between two reads of running jobs, and between two checks for new ones. */
const LOOK = 700
const NOW_AND_THEN = 60_000
const PAGE = 50

const underWay: Job['state'][] = ['waiting', 'running', 'undoing']

const readJobs = (query: QueryOf<'/web/v4/jobs'>) =>
  readRows(api.GET('/web/v4/jobs', { params: { query } }), ({ jobs }) => jobs)

export const isUnderWay = ({ state }: Pick<Job, 'state'>) => underWay.includes(state)

const jobKeys = { all: ['jobs'] as const }

/** Imports and bulk changes, newest first. Read repeatedly while one of them runs. */
export const jobsOptions = infiniteQueryOptions({
  queryKey: [...jobKeys.all, 'list'],
  queryFn: ({ pageParam: before }) => readJobs({ limit: PAGE, before }),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (jobs: JobSummary[]) => (jobs.length === PAGE ? jobs.at(-1)?.id : undefined),
  refetchInterval: ({ state }) => (state.data?.pages.flat().some(isUnderWay) ? LOOK : false),
})

/** The running jobs of the reader, or all running jobs for an administrator. */
export const runningJobsOptions = queryOptions({
  queryKey: [...jobKeys.all, 'running'],
  queryFn: () => readJobs({ 'filter[state]': underWay, limit: 10 }),
  refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? LOOK : NOW_AND_THEN),
})

export const jobOptions = (id: number) =>
  queryOptions({
    queryKey: [...jobKeys.all, 'one', id],
    queryFn: () => dataOf(api.GET('/web/v4/jobs/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK : false),
  })

/** Waits until a job ends, and returns it; undefined if it cannot be read. */
export async function jobEnded(id: number): Promise<Job | undefined> {
  for (;;) {
    const job = await queryClient.fetchQuery({ ...jobOptions(id), staleTime: 0 }).catch(() => undefined)
    if (!job || !isUnderWay(job)) return job
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

/** The number of rows of a preview, and the larger number on request. */
export const previewSizes = [20, 100, 250] as const

/** The first rows as the current settings would write them. */
export const previewOptions = (id: number, setup: ImportPatch, limit: number) =>
  queryOptions({
    queryKey: ['job-preview', id, setup, limit],
    queryFn: () =>
      readRows(
        api.GET('/web/v4/jobs/{id}/preview', { params: { path: { id }, query: { limit } } }),
        ({ rows }) => rows,
      ),
    staleTime: 0,
  })

/** The rows with reasons: of one outcome, or all of them. */
export const reportOptions = (id: number, of: Reported | undefined) =>
  infiniteQueryOptions({
    queryKey: ['job-report', id, of],
    queryFn: ({ pageParam: after }) => {
      const search = { 'filter[outcome]': of && [of], after, limit: PAGE }
      return dataOf(api.GET('/web/v4/jobs/{id}/report', { params: { path: { id }, query: search } }))
    },
    initialPageParam: 0,
    getNextPageParam: (report) => report?.next ?? undefined,
  })

export const reportFile = (
  id: number,
  of: Reported | undefined,
  table: { delimiter: 'comma' | 'semicolon'; headings: string },
) => `/web/v4/jobs/${id}/report${query({ 'filter[outcome]': of, format: 'csv', ...table })}`

export const failuresFile = (id: number, headings: string) =>
  `/web/v4/jobs/${id}/failures${query({ format: 'csv', headings })}`

/** Uploads a file as the draft of an import. The signal ends the upload. */
export const uploadImport = (kind: ImportedKind) =>
  mutationOptions({
    mutationFn: ({ file, signal }: { file: File; signal: AbortSignal }) =>
      dataOf(
        api.POST('/web/v4/jobs/imports', {
          params: { query: { entity_type: kind, name: file.name.slice(0, 255) } },
          // Browsers give CSV files different media types, or none.
          ...fileBody(new Blob([file], { type: 'text/csv' })),
          signal,
        }),
      ),
    onSuccess: keep,
  })

export const setUpImport = (id: number) =>
  mutationOptions({
    mutationFn: (patch: ImportPatch) =>
      dataOf(api.PATCH('/web/v4/jobs/{id}', { params: { path: { id } }, body: patch })),
    onSuccess: keep,
  })

/** Starts, cancels or undoes a job. */
export const moveJob = (id: number, move: 'start' | 'cancel' | 'undo') =>
  mutationOptions({
    mutationFn: () => dataOf(api.POST(`/web/v4/jobs/{id}/${move}`, { params: { path: { id } } })),
    onSuccess: keep,
  })

export const beginBulkChange = mutationOptions({
  mutationFn: (body: NewBulkChange) => dataOf(api.POST('/web/v4/jobs/bulk_changes', { body })),
  onSuccess: keep,
})

/** The page shows the response. Lists are read again. */
function keep(job: Job) {
  queryClient.setQueryData(jobOptions(job.id).queryKey, job)
  queryClient.invalidateQueries({ queryKey: [...jobKeys.all, 'list'] })
  queryClient.invalidateQueries({ queryKey: runningJobsOptions.queryKey })
}
