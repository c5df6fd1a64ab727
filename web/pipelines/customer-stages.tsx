import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/client.ts'
import { accountOptions } from '../data/accounts.ts'
import { lossReasonsOptions } from '../data/loss-reasons.ts'
import {
  addCustomerStage,
  patchCustomerStage,
  removeCustomerStage,
  settleCustomerStages,
  switchCustomers,
} from '../data/pipeline-changes.ts'
import { customerStagesOptions, pipelinesOptions } from '../data/pipelines.ts'
import { totalsOptions } from '../data/totals.ts'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { RemoveUnused } from './in-use.tsx'
import classes from './pipelines.module.css'
import { StageDialog } from './stage-dialog.tsx'

type CustomerStage = Schemas['CustomerStatus']

/** The customer stages, if the account uses customers. */
export function CustomerStages() {
  const { t } = useTranslation()
  const { data: account } = useQuery(accountOptions)
  const switching = useAction(switchCustomers)
  const choice = useScrollTo(account !== undefined)
  if (!account) return null
  const mode = modes.find((one) => one === account.customers_mode) ?? 'disabled'
  const isOn = mode !== 'disabled'
  return (
    <Section
      anchor={ANCHOR}
      title={t('customer_stages.title')}
      lead={isOn ? t('customer_stages.lead') : t('customer_stages.off')}
      actions={
        <Select
          ref={choice}
          aria-label={t('nav.customers')}
          data={modes.map((value) => ({ value, label: t(`customer_stages.modes.${value}`) }))}
          allowDeselect={false}
          w={270}
          disabled={switching.pending}
          value={mode}
          onChange={(chosen) => switching.run(modes.find((one) => one === chosen) ?? mode)}
        />
      }
    >
      {isOn && <OwnStages />}
    </Section>
  )
}

const modes = ['disabled', 'segments', 'periodicity'] as const

const ANCHOR = 'customers'
/** The router scrolls to the top of a new page first. */
const AFTER_ROUTER = 80

/** Scrolls to the switch when a link leads to it, after everything above has its height. */
function useScrollTo(isLoaded: boolean) {
  const ref = useRef<HTMLInputElement>(null)
  const { hash } = useLocation()
  const pipelines = useQuery(pipelinesOptions)
  const reasons = useQuery(lossReasonsOptions)
  const isSettled = isLoaded && !pipelines.isPending && !reasons.isPending
  useEffect(() => {
    if (hash !== ANCHOR || !isSettled) return
    const timer = setTimeout(() => {
      ref.current?.scrollIntoView({ block: 'center' })
      ref.current?.focus({ preventScroll: true })
    }, AFTER_ROUTER)
    return () => clearTimeout(timer)
  }, [hash, isSettled])
  return ref
}

function OwnStages() {
  const { t } = useTranslation()
  const query = useQuery(customerStagesOptions)
  const add = useChange(addCustomerStage)
  const last = Math.max(0, ...(query.data ?? []).map(({ sort }) => sort))
  return (
    <>
      <Loaded query={query} rows={3}>
        {(stages) => <StageRows stages={stages} />}
      </Loaded>
      <AddByName
        label={t('stages.name')}
        action={t('stages.add')}
        onAdd={(name) => add({ name, sort: last + 10 })}
      />
    </>
  )
}

function StageRows({ stages }: { stages: CustomerStage[] }) {
  const { t } = useTranslation()
  const patch = useChange(patchCustomerStage)
  const remove = useAction(removeCustomerStage, t('stages.removed'))
  const { ordered, move } = useOrder(stages, oneByOne(patch), settleCustomerStages)
  const [editing, edit] = useState<CustomerStage>()
  const [removing, askRemove] = useState<CustomerStage>()
  return (
    <>
      <SortableList label={t('customer_stages.title')} items={ordered} onMove={move}>
        {(stage) => (
          <>
            <div className={classes.words}>
              <span className={classes.stage} title={stage.name}>
                <StageLabel name={stage.name} color={stage.color} />
              </span>
              {stage.is_default && <Tag>{t('customer_stages.first')}</Tag>}
            </div>
            <RowButtons
              name={stage.name}
              onEdit={() => edit(stage)}
              onRemove={stage.is_default ? undefined : () => askRemove(stage)}
            />
          </>
        )}
      </SortableList>
      {editing && (
        <StageDialog
          stage={editing}
          hasColor
          onSave={(changes) => patch({ id: editing.id, ...changes })}
          onClose={() => edit(undefined)}
        />
      )}
      {removing && (
        <RemoveUnused
          title={t('stages.remove_title', { name: removing.name })}
          totals={totalsOptions('customers', { 'filter[status_id]': String(removing.id) })}
          inUse={(count) => t('customer_stages.in_use', { count })}
          records={{ to: '/customers', search: { 'filter[status_id]': String(removing.id) } }}
          pending={remove.pending}
          onRemove={() => remove.run(removing.id, () => askRemove(undefined))}
          onClose={() => askRemove(undefined)}
        >
          <p>{t('stages.remove_text')}</p>
        </RemoveUnused>
      )}
    </>
  )
}
