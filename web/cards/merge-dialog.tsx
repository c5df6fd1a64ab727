import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AnyRecord, type Collection, wordOf } from '../data/records.ts'
import { mergeRecords } from '../data/trash.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { RecordPicker } from '../parts/records/record-picker.tsx'
import { useRecordHint } from '../parts/records/use-record-hint.ts'
import { useCard } from './card-context.tsx'

/** Returns a function that calls a record by what distinguishes it from others of its name. */
function useCalled(): (collection: Collection, record: AnyRecord) => string {
  const hint = useRecordHint()
  return (collection, record) =>
    `${record.name} (${[hint(collection, record), `#${record.id}`].filter(Boolean).join(' · ')})`
}

/** Merges another record into this one, after an explanation of the result. */
export function MergeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { collection, id, record } = useCard()
  const [other, setOther] = useState<{ id: number; name: string; record: AnyRecord }>()
  const merge = useAction(mergeRecords, t('card.merged'))
  const called = useCalled()
  const isNamesake = other?.record.name === record.name
  const name = isNamesake ? called(collection, record) : record.name || `#${id}`
  const otherName = other && isNamesake ? called(collection, other.record) : (other?.name ?? '')
  return (
    <Dialog onClose={onClose} title={t(`card.merge_${wordOf(collection)}`)}>
      <div className={dialog.text}>
        <RecordPicker
          data-autofocus
          label={t('card.merge_which')}
          placeholder={otherName || t('record.find')}
          defaultDropdownOpened={false}
          collection={collection}
          without={[id]}
          onPick={(chosen, label, found) => setOther({ id: chosen, name: label, record: found })}
        />
        {other && (
          <ul>
            <li>{t('card.merge_stays', { name })}</li>
            <li>{t('card.merge_goes', { name: otherName })}</li>
            <li>{t('card.merge_final')}</li>
          </ul>
        )}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button
          color="danger"
          disabled={!other}
          loading={merge.pending}
          onClick={() => other && merge.run({ collection, id, other: other.id }, onClose)}
        >
          {t('card.merge_do')}
        </Button>
      </div>
    </Dialog>
  )
}
