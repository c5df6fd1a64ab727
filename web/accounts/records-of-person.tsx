import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { cardKinds } from '../data/records.ts'
import { tasksTotalOptions } from '../data/tasks.ts'
import { totalsOptions } from '../data/totals.ts'
import { useFormat } from '../parts/texts/format.ts'

/** The records and open tasks of a person who leaves, which stay theirs until somebody else becomes responsible for them. */
export function RecordsOfPerson({ id }: { id: number }) {
  const search = { 'filter[responsible_user_id]': String(id) }
  return (
    <>
      <Records search={search} />
      <OpenTasks search={search} />
    </>
  )
}

type Search = Record<string, string>

function Records({ search }: { search: Search }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: account } = useQuery(accountOptions)
  const isShown = (kind: string) => kind !== 'customers' || account?.customers_mode !== 'disabled'
  const kinds = cardKinds.filter(isShown)
  const totals = useQueries({
    queries: kinds.map((kind) => ({ ...totalsOptions(kind, search), staleTime: 0 })),
  })
  const counted = kinds.flatMap((kind, i) => {
    const { total = 0, is_complete = true } = totals[i]?.data ?? {}
    return total > 0 ? [{ kind, count: format.count(total, is_complete) }] : []
  })
  if (counted.length === 0) return null
  return (
    <>
      <p>{t('person.still_responsible')}</p>
      <ul>
        {counted.map(({ kind, count }) => (
          <li key={kind}>
            <Link to={`/${kind}`} search={{ ...search, ...(kind === 'leads' && { shape: 'list' }) }}>
              {t(`nav.${kind}`)}
            </Link>
            {` ${count}`}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Tasks have no bulk changes. */
function OpenTasks({ search }: { search: Search }) {
  const { t } = useTranslation()
  const format = useFormat()
  const options = tasksTotalOptions({ ...search, 'filter[is_completed]': '0' })
  const { total = 0, is_complete = true } = useQuery({ ...options, staleTime: 0 }).data ?? {}
  if (total === 0) return null
  return (
    <>
      <p>{t('person.still_tasks')}</p>
      <ul>
        <li>
          <Link to="/tasks" search={{ ...search, view: 'all' }}>
            {t('person.open_tasks')}
          </Link>
          {` ${format.count(total, is_complete)}`}
        </li>
      </ul>
    </>
  )
}
