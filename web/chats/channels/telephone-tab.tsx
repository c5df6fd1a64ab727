import { Button } from '@mantine/core'
import { IconDeviceMobileMessage, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connectAccount } from '../../data/channels.ts'
import { type Chat, chatsOptions } from '../../data/chats.ts'
import { rowsOf } from '../../data/row-lists.ts'
import { type Customer, customerOf } from '../../data/telephone.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { useChannel } from './channel-page.tsx'
import { NewCustomerDialog } from './new-customer-dialog.tsx'
import classes from './telephone.module.css'
import { Telephone } from './telephone.tsx'

const route = getRouteApi('/shell/settings/channels/$channelId/telephone')

/** Plays the customers of a channel: each has a telephone with their conversation. */
export function TelephoneTab() {
  const { t } = useTranslation()
  const channel = useChannel()
  const query = useInfiniteQuery(chatsOptions({ channel: channel.id }))
  if (!channel.is_connected) return <NotConnected id={channel.id} />
  return (
    <Section title={t('telephone.title')} lead={t('telephone.lead')}>
      <Loaded query={query} rows={4}>
        {() => <Customers channelId={channel.id} chats={rowsOf(query.data)} />}
      </Loaded>
    </Section>
  )
}

function NotConnected({ id }: { id: string }) {
  const { t } = useTranslation()
  const connect = useAction(connectAccount, t('connections.connected_done'))
  return (
    <Callout
      tone="info"
      title={t('telephone.not_connected')}
      actions={
        <Button loading={connect.pending} onClick={() => connect.run(id)}>
          {t('connections.connect')}
        </Button>
      }
    >
      {t('telephone.connect_first')}
    </Callout>
  )
}

interface Line {
  customer: Customer
  chat: Chat | undefined
}

function Customers({ channelId, chats }: { channelId: string; chats: readonly Chat[] }) {
  const [added, setAdded] = useState<Customer[]>([])
  const { customer: first } = route.useSearch()
  const [chosen, setChosen] = useState(first)
  const [isAdding, setAdding] = useState(false)
  const known: Line[] = chats.flatMap((chat) => {
    const customer = customerOf(chat)
    return customer ? [{ customer, chat }] : []
  })
  const unknown = added.filter(({ key }) => !known.some(({ customer }) => customer.key === key))
  const lines = [...unknown.map((customer): Line => ({ customer, chat: undefined })), ...known]
  const open = lines.find(({ customer }) => customer.key === chosen) ?? lines[0]
  const add = (customer: Customer) => {
    setAdded([customer, ...added])
    setChosen(customer.key)
  }
  return (
    <>
      {open ? (
        <div className={classes.desk}>
          <CustomerList lines={lines} open={open} onChoose={setChosen} onAdd={() => setAdding(true)} />
          <Telephone
            key={open.customer.key}
            channelId={channelId}
            customer={open.customer}
            chat={open.chat}
          />
        </div>
      ) : (
        <NoCustomers onAdd={() => setAdding(true)} />
      )}
      {isAdding && <NewCustomerDialog onClose={() => setAdding(false)} onAdd={add} />}
    </>
  )
}

function NoCustomers({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon={IconDeviceMobileMessage}
      title={t('telephone.empty_title')}
      action={<AddButton onAdd={onAdd} />}
    >
      {t('telephone.empty_text')}
    </EmptyState>
  )
}

function AddButton({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" leftSection={<IconPlus size={15} />} onClick={onAdd}>
      {t('telephone.new_customer')}
    </Button>
  )
}

interface CustomerListProps {
  lines: readonly Line[]
  open: Line
  onChoose: (key: string) => void
  onAdd: () => void
}

function CustomerList({ lines, open, onChoose, onAdd }: CustomerListProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.people}>
      <AddButton onAdd={onAdd} />
      <ul className={classes.list} aria-label={t('telephone.customers')}>
        {lines.map(({ customer: { key, name, phone }, chat }) => (
          <li key={key}>
            <button
              type="button"
              className={classes.person}
              aria-pressed={key === open.customer.key}
              onClick={() => onChoose(key)}
            >
              <span className={classes.name}>{name}</span>
              <span className={classes.under}>
                {chat?.last_message?.text || phone || t('telephone.no_messages')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
