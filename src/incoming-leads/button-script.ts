import { createHash } from 'node:crypto'
import type { Language } from '../events/event-types.ts'
import { languageOf } from '../marketing/marketing.ts'

/**
 * The only script of a form in the panel of a button. Escape closes the panel, also while the focus is in the form. The
 * panel learns whether it shows a form that can be sent. After the thanks or a lost connection, it loads the form again, with
 * what was sent before the connection was lost. Browsers can forbid the storage of a frame.
 */
export const FRAME_SCRIPT = `if(parent!==self){
const tell=(what)=>parent.postMessage('website-button:'+what,'*');
const [form]=document.forms,place='form '+location.pathname;
const stored=(use)=>{try{return use(sessionStorage)}catch{}};
addEventListener('keydown',(event)=>{if(event.key==='Escape')tell('close')});
addEventListener('submit',()=>{
const sent=[...new FormData(form)];
stored((storage)=>storage.setItem(place,JSON.stringify(sent)));
tell('sent')});
if(form){
for(const [name,value] of stored((storage)=>JSON.parse(storage.getItem(place)))??[]){
const input=form.elements[name];
if(input?.type==='checkbox')input.checked=true;
else if(input&&input.type!=='hidden')input.value=value}
tell('ready')}
else stored((storage)=>storage.removeItem(place))}`

/** The rules of the host are important, because otherwise those of the page for every `div` precede them. */
const STYLE = `:host{all:initial!important;position:fixed!important;right:20px!important;bottom:20px!important;z-index:2147483000!important;font:16px system-ui,sans-serif!important}
[hidden]{display:none!important}
button{all:unset;box-sizing:border-box;display:grid;place-items:center;width:60px;height:60px;margin-left:auto;border-radius:50%;background:#0f6b78;color:#fff;cursor:pointer;box-shadow:0 4px 16px rgb(0 0 0/.25)}
button:hover{background:#0b5560}
button:focus-visible{outline:3px solid #0f6b78;outline-offset:3px}
svg{width:28px;height:28px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
div{position:absolute;right:0;bottom:76px;width:380px;height:min(640px,calc(100vh - 116px));overflow:hidden;border-radius:12px;background:#fff;background:light-dark(#fff,#17191c);box-shadow:0 8px 32px rgb(0 0 0/.3)}
iframe{width:100%;height:100%;border:0}
@media(max-width:440px){div{width:calc(100vw - 40px)}}`

/** The function is sent to browsers as it is written here, so it uses nothing from outside. */
const CODE = `((url,label,close,style)=>{
const id='website-button-'+url.split('/').pop();
if(document.getElementById(id))return;
const host=document.createElement('div');
host.id=id;
const root=host.attachShadow({mode:'open'});
const sheet=new CSSStyleSheet();
sheet.replaceSync(style);
root.adoptedStyleSheets=[sheet];
const make=(tag,attributes,space)=>{
const element=space?document.createElementNS(space,tag):document.createElement(tag);
for(const name in attributes)element.setAttribute(name,attributes[name]);
return element};
const SVG='http://www.w3.org/2000/svg';
const panel=make('div',{role:'dialog','aria-label':label,hidden:''});
const frame=make('iframe',{title:label,referrerpolicy:'no-referrer-when-downgrade'});
panel.append(frame);
const button=make('button',{type:'button','aria-haspopup':'dialog'});
const icon=make('svg',{viewBox:'0 0 24 24','aria-hidden':'true'},SVG);
const path=make('path',{},SVG);
icon.append(path);
button.append(icon);
root.append(panel,button);
let isReady=false;
const show=(isOpen)=>{
if(isOpen&&!isReady)frame.src=url;
panel.hidden=!isOpen;
button.setAttribute('aria-expanded',isOpen);
button.setAttribute('aria-label',isOpen?close:label);
path.setAttribute('d',isOpen?'m6 6 12 12m0-12-12 12':'m4 5h16v11H10l-5 4v-4H4z');
if(isOpen)frame.focus()};
const leave=()=>{if(!panel.hidden){show(false);button.focus()}};
frame.addEventListener('load',()=>{if(!panel.hidden)frame.focus()});
button.addEventListener('click',()=>panel.hidden?show(true):leave());
addEventListener('keydown',(event)=>{if(event.key==='Escape')leave()});
addEventListener('message',(event)=>{
if(event.source!==frame.contentWindow)return;
if(event.data==='website-button:close')leave();
if(event.data==='website-button:ready')isReady=true;
if(event.data==='website-button:sent')isReady=false});
show(false);
const place=()=>document.body.append(host);
document.body?place():addEventListener('DOMContentLoaded',place)
})`

const closes: Record<Language, string> = { en: 'Close', es: 'Cerrar', ru: 'Закрыть', pt: 'Fechar' }

/** The script of a button: it draws the button in a shadow tree and opens the form in a frame. */
export function buttonScript(url: string, { name }: { name: string }, { language }: { language: string }) {
  const content = [url, name, closes[languageOf(language)], STYLE].map((text) => JSON.stringify(text))
  const body = `${CODE}(${content.join(',')})\n`
  return { body, version: createHash('sha256').update(body).digest('base64url').slice(0, 22) }
}
