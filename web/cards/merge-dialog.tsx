import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wordOf } from '../data/records.ts'
import { mergeRecords } from '../data/trash.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { RecordPicker } from '../parts/records/record-picker.tsx'
import { useCard } from './card-context.tsx'

/** Merges another record into this one, after an explanation of the result. */
export function MergeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { collection, id, record } = useCard()
  const [other, setOther] = useState<{ id: number; name: string }>()
  const merge = useAction(mergeRecords, t('card.merged'))
  const name = record.name || `#${id}`
  return (
    <Dialog onClose={onClose} title={t(`card.merge_${wordOf(collection)}`)}>
      <div className={dialog.text}>
        <RecordPicker
          data-autofocus
          label={t('card.merge_which')}
          placeholder={other?.name ?? t('record.find')}
          defaultDropdownOpened={false}
          collection={collection}
          without={[id]}
          onPick={(chosen, called) => setOther({ id: chosen, name: called })}
        />
        {other && (
          <ul>
            <li>{t('card.merge_stays', { name })}</li>
            <li>{t('card.merge_goes', { name: other.name })}</li>
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
