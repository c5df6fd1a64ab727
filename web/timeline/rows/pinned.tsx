import { IconPin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type CardKind, cardKinds } from '../../data/records.ts'
import { type Card, pinNote, pinnedOptions } from '../../data/timeline.ts'
import { noteText } from '../../events/note-text.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { FoldingText } from '../../parts/layout/folding-text.tsx'
import { PersonName } from '../../parts/people/person-name.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './timeline.module.css'

/** Pinned notes. */
export function Pinned({ card, canWrite }: { card: Card; canWrite: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const kind = cardKinds.find((one) => one === card.collection)
  const { data: notes = [] } = useQuery({
    ...pinnedOptions((kind ?? 'leads') as CardKind, card.id),
    enabled: kind !== undefined && !card.isTrashed,
  })
  const pin = useAction(pinNote(card))
  if (notes.length === 0) return null
  return (
    <ul className={classes.pinned} aria-label={t('timeline.pinned')}>
      {notes.map((note) => (
        <li key={note.id}>
          <IconPin size={15} stroke={1.7} aria-hidden />
          <div className={classes.pinnedText}>
            <FoldingText className={classes.text}>{noteText(note)}</FoldingText>
          </div>
          <span className={classes.by}>
            <PersonName id={note.created_by} integration={note.created_by_integration} />{' '}
            {format.moment(note.created_at)}
          </span>
          {canWrite && (
            <button type="button" onClick={() => pin.run({ id: note.id, pin: false })}>
              {t('timeline.unpin')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
