import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

/**
 * A QueryClient whose invalidations also cover the reads under way: the server can have answered them before the change.
 * QueryClient itself repeats a read under way only if the query has data and is shown. Any other read would end the
 * invalidation with what it returns.
 */
export class LateReadClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const reads = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .map((query) => ({ query, read: query.promise }))
    const invalidated = super.invalidateQueries(filters, options)
    const again = reads
      .filter(({ query, read }) => query.promise === read)
      .map(({ query: { queryKey }, read }) => {
        const invalidate = () => super.invalidateQueries({ ...filters, queryKey, exact: true }, options)
        // A read that fails leaves the query to be read again.
        return read?.then(invalidate, () => {})
      })
    if (filters?.refetchType === 'none') return invalidated
    return Promise.all([invalidated, ...again]).then(() => {})
  }
}
