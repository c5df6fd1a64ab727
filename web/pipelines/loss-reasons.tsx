import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  addLossReason,
  type LossReason,
  lossReasonsOptions,
  patchLossReason,
  removeLossReason,
  settleLossReasons,
} from '../data/loss-reasons.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { NameDialog } from '../parts/dialogs/name-dialog.tsx'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import classes from './pipelines.module.css'

/** The loss reasons of leads. */
export function LossReasons() {
  const { t } = useTranslation()
  const query = useQuery(lossReasonsOptions)
  const add = useChange(addLossReason)
  return (
    <Section title={t('reasons.title')} lead={t('reasons.lead')}>
      <Loaded query={query} rows={2}>
        {(reasons) => <Reasons reasons={reasons} />}
      </Loaded>
      <AddByName label={t('reasons.name')} action={t('reasons.add')} onAdd={add} />
    </Section>
  )
}

function Reasons({ reasons }: { reasons: LossReason[] }) {
  const { t } = useTranslation()
  const patch = useChange(patchLossReason)
  const { ordered, move } = useOrder(reasons, oneByOne(patch), settleLossReasons)
  const [renaming, rename] = useState<LossReason>()
  const [removing, askRemove] = useState<LossReason>()
  const remove = useAction(removeLossReason, t('reasons.removed'))
  return (
    <>
      {ordered.length > 0 && (
        <SortableList label={t('reasons.title')} items={ordered} onMove={move}>
          {(reason) => (
            <>
              <span className={classes.name} title={reason.name}>
                {reason.name}
              </span>
              <RowButtons
                name={reason.name}
                onEdit={() => rename(reason)}
                onRemove={() => askRemove(reason)}
              />
            </>
          )}
        </SortableList>
      )}
      {renaming && (
        <NameDialog
          title={t('reasons.rename')}
          name={renaming.name}
          onSave={(name) => patch({ id: renaming.id, name })}
          onClose={() => rename(undefined)}
        />
      )}
      <Confirm
        opened={removing !== undefined}
        title={t('reasons.remove_title', { name: removing?.name ?? '' })}
        action={t('pipelines.delete')}
        pending={remove.pending}
        onConfirm={() => removing && remove.run(removing.id, () => askRemove(undefined))}
        onClose={() => askRemove(undefined)}
      >
        <p>{t('reasons.remove_text')}</p>
      </Confirm>
    </>
  )
}
