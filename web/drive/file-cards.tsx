import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fileCardsOptions } from '../data/files.ts'
import { RecordLink } from '../parts/records/record-link.tsx'
import { useFormat } from '../parts/texts/format.ts'

/** The number of cards that are named. */
const FEW = 5

/** Names the cards that lose a file when it is deleted. */
export function FileCards({ uuid }: { uuid: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: cards = [] } = useQuery(fileCardsOptions(uuid))
  if (cards.length === 0) return null
  return (
    <>
      <p>{t('files.on_cards')}</p>
      <ul>
        {cards.slice(0, FEW).map(({ collection, id, name }) => (
          <li key={id}>
            <RecordLink collection={collection} id={id}>
              {name || t('search.unnamed', { id })}
            </RecordLink>
          </li>
        ))}
        {cards.length > FEW && (
          <li>{t('files.more_cards', { number: format.number(cards.length - FEW) })}</li>
        )}
      </ul>
    </>
  )
}
