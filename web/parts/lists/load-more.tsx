import { Box, Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

interface Paged {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** Loads the next page when the end of the list becomes visible. */
export function LoadMore({ query }: { query: Paged }) {
  const { t } = useTranslation()
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: '400px' })
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const isWanted = entry?.isIntersecting && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isWanted) fetchNextPage()
  }, [isWanted, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <Box ref={ref} ta="center" p="var(--pb-2)">
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        loading={isFetchingNextPage}
        onClick={() => fetchNextPage()}
      >
        {t('act.load_more')}
      </Button>
    </Box>
  )
}
