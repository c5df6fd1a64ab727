import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { totalsOptions } from '../data/totals.ts'
import { useFormat } from '../parts/texts/format.ts'

const kinds = ['leads', 'contacts', 'companies'] as const

/** The records of a person who leaves, which stay theirs until somebody else becomes responsible for them. */
export function RecordsOfPerson({ id }: { id: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const search = { 'filter[responsible_user_id]': String(id) }
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
            <Link to={`/${kind}`} search={{ ...search, shape: 'list' }}>
              {t(`nav.${kind}`)}
            </Link>
            {` ${count}`}
          </li>
        ))}
      </ul>
    </>
  )
}
