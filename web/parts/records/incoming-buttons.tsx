import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown, IconLink, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { declineIncoming, type IncomingLead, linkIncoming } from '../../data/incoming-leads.ts'
import { INCOMING, LOST, pipelineAt, pipelinesOptions, stageAt, WON } from '../../data/pipelines.ts'
import { Confirm } from '../dialogs/confirm.tsx'
import dialog from '../dialogs/dialog.module.css'
import { Dialog } from '../dialogs/dialog.tsx'
import { useAction } from '../forms/use-action.ts'
import classes from './incoming.module.css'
import { RecordPicker } from './record-picker.tsx'
import { StageLabel } from './stage-label.tsx'
import { type IncomingActions, useIncomingRights } from './use-incoming-rights.ts'

interface IncomingButtonsProps {
  item: IncomingLead
  /** The name of the lead, for the labels of the buttons. */
  name: string
  actions: IncomingActions
}

/** Accepts an incoming lead into a stage, declines it, or links its chat to another lead, as far as the person has the rights. */
export function IncomingButtons({ item, name, actions }: IncomingButtonsProps) {
  const { t } = useTranslation()
  const may = useIncomingRights(item, actions.isAllowed)
  const [doing, setDoing] = useState<'decline' | 'link'>()
  const stop = () => setDoing(undefined)
  if (!may.accept && !may.decline) return null
  return (
    <div className={classes.buttons}>
      {may.accept && <Accepting item={item} name={name} actions={actions} />}
      {may.decline && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconX size={14} aria-hidden />}
          aria-label={t('incoming.decline_of', { name })}
          onClick={() => setDoing('decline')}
        >
          {t('incoming.decline')}
        </Button>
      )}
      {may.link && item.category === 'chats' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconLink size={14} aria-hidden />}
          onClick={() => setDoing('link')}
        >
          {t('incoming.link')}
        </Button>
      )}
      <Declining item={item} opened={doing === 'decline'} onClose={stop} />
      {doing === 'link' && <LinkDialog item={item} onClose={stop} />}
    </div>
  )
}

function Accepting({ item, name, actions: { accept, isAccepting } }: IncomingButtonsProps) {
  const { t } = useTranslation()
  return (
    <Button.Group>
      <Button
        size="xs"
        leftSection={<IconCheck size={14} aria-hidden />}
        loading={isAccepting}
        aria-label={t('incoming.accept_of', { name })}
        onClick={() => accept({ item })}
      >
        {t('incoming.accept')}
      </Button>
      <StageMenu item={item} onChoose={(status_id) => accept({ item, status_id })} />
    </Button.Group>
  )
}

function StageMenu({ item, onChoose }: { item: IncomingLead; onChoose: (status_id: number) => void }) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const stages = pipelineAt(pipelines, item)?._embedded.statuses ?? []
  const open = stages.filter(({ id, type }) => type === 0 && id !== WON && id !== LOST)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" px={6} aria-label={t('incoming.accept_into')} title={t('incoming.accept_into')}>
          <IconChevronDown size={14} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {open.map(({ id, name, color }) => (
          <Menu.Item key={id} onClick={() => onChoose(id)}>
            <StageLabel name={name} color={color} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Declining({ item, opened, onClose }: { item: IncomingLead; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const decline = useAction(declineIncoming, t('incoming.declined'))
  return (
    <Confirm
      opened={opened}
      title={t('incoming.decline_title')}
      action={t('incoming.decline')}
      pending={decline.pending}
      onConfirm={() => decline.run(item, onClose)}
      onClose={onClose}
    >
      <p>{t('incoming.decline_text')}</p>
    </Confirm>
  )
}

function LinkDialog({ item, onClose }: { item: IncomingLead; onClose: () => void }) {
  const { t } = useTranslation()
  const [lead, setLead] = useState<{ id: number; name: string }>()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const link = useAction(linkIncoming, t('incoming.linked'))
  return (
    <Dialog onClose={onClose} title={t('incoming.link_title')}>
      <div className={dialog.text}>
        <RecordPicker
          data-autofocus
          label={t('incoming.link_which')}
          placeholder={lead?.name ?? t('record.find')}
          defaultDropdownOpened={false}
          collection="leads"
          isOffered={(one) => stageAt(pipelines, one)?.type !== INCOMING}
          onPick={(id, name) => setLead({ id, name })}
        />
        <p>{t('incoming.link_text')}</p>
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button
          disabled={!lead}
          loading={link.pending}
          onClick={() => lead && link.run({ item, lead_id: lead.id }, onClose)}
        >
          {t('incoming.link')}
        </Button>
      </div>
    </Dialog>
  )
}
