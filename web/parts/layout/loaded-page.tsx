import type { ReactNode } from 'react'
import { Loaded, type QueryState } from './loaded.tsx'
import { Page, type PageProps } from './page.tsx'

interface LoadedPageProps<Data> extends Pick<PageProps, 'back'> {
  /** The title until the data is loaded. */
  title: string
  query: QueryState<Data>
  /** The whole page. */
  children: (data: Data) => ReactNode
}

/** A page whose title is in its data. Until the data is loaded, the page shows a placeholder or the error. */
export function LoadedPage<Data>({ title, back, query, children }: LoadedPageProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Page title={title} back={back}>
      <Loaded query={query}>{() => null}</Loaded>
    </Page>
  )
}
