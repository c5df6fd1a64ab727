import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addPurchase, type Purchase, purchasesOptions, removePurchase } from '../data/purchases.ts'
import { rowsOf } from '../data/row-lists.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { useUnsaved } from '../parts/forms/unsaved.ts'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'
import { Money } from '../parts/texts/money.tsx'
import { readAmount } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import { useCard } from './card-context.tsx'
import classes from './fields-panel.module.css'
import { PartHead } from './linked-records.tsx'

/** The purchases of a customer, newest first. */
export function Purchases() {
  const { t } = useTranslation()
  const { id, record, canEdit } = useCard()
  const [isAdding, setAdding] = useState(false)
  const part = useRef<HTMLElement>(null)
  useFocusBack(part, isAdding, `.${classes.add}`)
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(purchasesOptions(id))
  const purchases = rowsOf(data)
  return (
    <section ref={part} className={classes.part} aria-label={t('card.purchases')}>
      <PartHead
        title={t('card.purchases')}
        count={record.purchases_count ?? 0}
        addLabel={canEdit ? t('card.add_purchase') : undefined}
        onAdd={() => setAdding(true)}
      />
      {isAdding && <PurchaseForm onDone={() => setAdding(false)} />}
      <ul className={classes.list}>
        {purchases.map((purchase) => (
          <PurchaseRow key={purchase.id} purchase={purchase} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          className={classes.fold}
          size="xs"
          variant="subtle"
          color="gray"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t('act.load_more')}
        </Button>
      )}
    </section>
  )
}

function PurchaseRow({ purchase }: { purchase: Purchase }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useCard()
  const remove = useAction(removePurchase)
  const [isAsked, setAsked] = useState(false)
  const date = format.date(purchase.completed_at)
  const row = useRef<HTMLLIElement>(null)
  useFocusNear(row)
  return (
    <li ref={row} className={classes.row}>
      <div className={classes.named}>
        <div className={classes.nameLine}>
          <span title={purchase.comment ?? undefined}>{purchase.comment || date}</span>
        </div>
        {purchase.comment && (
          <div className={classes.about}>
            <span>{date}</span>
          </div>
        )}
      </div>
      <div className={classes.tools}>
        <span className={classes.number}>
          <Money amount={purchase.price_with_minor_units} />
        </span>
        {canEdit && (
          <ActionIcon
            className={classes.quiet}
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t('card.remove_purchase', { date })}
            title={t('card.remove_purchase', { date })}
            onClick={() => setAsked(true)}
          >
            <IconX size={15} />
          </ActionIcon>
        )}
      </div>
      <Confirm
        opened={isAsked}
        title={t('card.remove_purchase_title')}
        action={t('card.remove_purchase_do')}
        pending={remove.pending}
        onConfirm={() => remove.run(purchase, () => setAsked(false))}
        onClose={() => setAsked(false)}
      >
        {t('card.remove_purchase_text')}
      </Confirm>
    </li>
  )
}

function PurchaseForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { id } = useCard()
  const add = useAction(addPurchase)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [comment, setComment] = useState('')
  useUnsaved(typed !== '' || comment !== '')
  useEffect(() => input.current?.focus(), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const price = readAmount(typed, locale)
    setWrong(price === null)
    if (price === null) return input.current?.focus()
    const completed_at = Math.floor(Date.now() / 1000)
    add.run({ customer_id: id, price, comment: comment.trim() || null, completed_at }, onDone)
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        ref={input}
        label={t('card.purchase_amount')}
        inputMode="decimal"
        maxLength={40}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isWrong && t('card.not_amount')}
      />
      <TextInput
        label={t('card.purchase_comment')}
        maxLength={10_000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button size="xs" type="submit" loading={add.pending} disabled={typed.trim() === ''}>
          {t('card.purchase_save')}
        </Button>
        <Button size="xs" variant="default" onClick={onDone}>
          {t('act.cancel')}
        </Button>
      </div>
    </form>
  )
}
