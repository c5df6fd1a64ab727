import { IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Problem } from '../api/problem.ts'
import { catalogsOptions } from '../data/catalogs.ts'
import { elementsOf } from '../data/records.ts'
import { ListPage } from '../entities/list-page.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'

const route = getRouteApi('/shell/lists/$catalogId')

/** The items of one list. */
export function ElementsPage() {
  const { catalogId } = route.useParams()
  const search = route.useSearch()
  const query = useQuery(catalogsOptions)
  const catalog = query.data?.find(({ id }) => String(id) === catalogId)
  // A hidden list gives the same error as a missing one. A new one may not have been read yet.
  if (query.data && !catalog && !query.isFetching) throw new Problem(404, { type: '#not_found' })
  return (
    <Loaded query={query} rows={8}>
      {() =>
        catalog && (
          <ListPage
            key={catalog.id}
            collection={elementsOf(catalog.id)}
            page={`lists/${catalog.id}`}
            title={catalog.name}
            icon={IconList}
            search={search}
            isClosed={!catalog.can_add_elements}
          />
        )
      }
    </Loaded>
  )
}
