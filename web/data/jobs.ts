import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { NewBulkChange } from '../../src/jobs/bulk-schemas.ts'
import type {
  ImportPatch,
  Job,
  JobSummary,
  Preview,
  Report,
  ReportedRow,
  reportedOutcomes,
} from '../../src/jobs/schemas.ts'
import { query, request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { CardKind } from './records.ts'

export type { ImportPatch, Job, JobSummary, ReportedRow }
export type Import = NonNullable<Job['import']>
export type Target = Import['targets'][number]
export type PreviewRow = Preview['_embedded']['rows'][number]
export type Reported = (typeof reportedOutcomes)[number]
export type ImportedKind = Extract<CardKind, 'contacts' | 'companies' | 'leads'>

export const importedKinds: ImportedKind[] = ['contacts', 'companies', 'leads']

/** Milliseconds between two looks at what runs, and at whether something does. */
const LOOK = 700
const NOW_AND_THEN = 60_000
const PAGE = 50

const underWay: Job['state'][] = ['waiting', 'running', 'undoing']
export const isUnderWay = ({ state }: Pick<Job, 'state'>) => underWay.includes(state)

export const jobKeys = { all: ['jobs'] as const }

/** Imports and bulk changes, the newest first; looked at again and again while one of them is under way. */
export const jobsOptions = infiniteQueryOptions({
  queryKey: [...jobKeys.all, 'list'],
  queryFn: ({ pageParam }) =>
    readRows<JobSummary>(`/web/v4/jobs${query({ limit: PAGE, before: pageParam })}`, 'jobs'),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (jobs: JobSummary[]) => (jobs.length === PAGE ? jobs.at(-1)?.id : undefined),
  refetchInterval: ({ state }) => (state.data?.pages.flat().some(isUnderWay) ? LOOK : false),
})

/** What is under way of the reader's own, or of everybody's for an administrator. */
export const runningJobsOptions = queryOptions({
  queryKey: [...jobKeys.all, 'running'],
  queryFn: () => {
    const states = query({ 'filter[state]': underWay.join(','), limit: 10 })
    return readRows<JobSummary>(`/web/v4/jobs${states}`, 'jobs')
  },
  refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? LOOK : NOW_AND_THEN),
})

export const jobOptions = (id: number) =>
  queryOptions({
    queryKey: [...jobKeys.all, 'one', id],
    queryFn: () => request<Job>('GET', `/web/v4/jobs/${id}`),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK : false),
  })

/** How many rows a preview has, and how many when more are asked for. */
export const previewSizes = [20, 100, 250] as const

/** The first rows as they would be written by what is set up now. */
export const previewOptions = (id: number, setup: ImportPatch, limit: number) =>
  queryOptions({
    queryKey: ['job-preview', id, setup, limit],
    queryFn: () => readRows<PreviewRow>(`/web/v4/jobs/${id}/preview${query({ limit })}`, 'rows'),
    staleTime: 0,
  })

const reportPath = (id: number, of: Reported | undefined, more: object) =>
  `/web/v4/jobs/${id}/report${query({ 'filter[outcome]': of, ...more })}`

/** Rows of which there is something to say: of one kind, or all of them. */
export const reportOptions = (id: number, of: Reported | undefined) =>
  infiniteQueryOptions({
    queryKey: ['job-report', id, of],
    queryFn: ({ pageParam }) =>
      request<Report | undefined>('GET', reportPath(id, of, { after: pageParam, limit: PAGE })),
    initialPageParam: 0,
    getNextPageParam: (report) => report?.next ?? undefined,
  })

export const reportFile = (id: number, of: Reported | undefined) => reportPath(id, of, { format: 'csv' })

export const failuresFile = (id: number) => `/web/v4/jobs/${id}/failures?format=csv`

/** Sends a file as the draft of an import; the server finds out what it is. */
export const uploadImport = (kind: ImportedKind) =>
  mutationOptions({
    mutationFn: (file: File) =>
      request<Job>(
        'POST',
        `/web/v4/jobs/imports${query({ entity_type: kind, name: file.name.slice(0, 255) })}`,
        // Browsers name the type of a CSV file in ways of their own, or not at all.
        new Blob([file], { type: 'text/csv' }),
      ),
    onSuccess: keep,
  })

export const setUpImport = (id: number) =>
  mutationOptions({
    mutationFn: (patch: ImportPatch) => request<Job>('PATCH', `/web/v4/jobs/${id}`, patch),
    onSuccess: keep,
  })

/** Starts, cancels or undoes a job. */
export const moveJob = (id: number, move: 'start' | 'cancel' | 'undo') =>
  mutationOptions({
    mutationFn: () => request<Job>('POST', `/web/v4/jobs/${id}/${move}`),
    onSuccess: keep,
  })

export const beginBulkChange = mutationOptions({
  mutationFn: (asked: NewBulkChange) => request<Job>('POST', '/web/v4/jobs/bulk_changes', asked),
  onSuccess: keep,
})
export type { NewBulkChange }

/** What was answered is what the page of the job shows; lists look again. */
function keep(job: Job) {
  queryClient.setQueryData(jobOptions(job.id).queryKey, job)
  queryClient.invalidateQueries({ queryKey: [...jobKeys.all, 'list'] })
  queryClient.invalidateQueries({ queryKey: runningJobsOptions.queryKey })
}
