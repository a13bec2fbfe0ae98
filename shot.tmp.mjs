import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
const url='http://localhost:4731'
const login=await (await fetch(url+'/api/auth/login',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email:'demo@ensaio.local',password:'ensaio-de-campo'})})).json()
const H={authorization:`Bearer ${login.access_token}`,'content-type':'application/json'}
const m=JSON.parse(readFileSync('/work/shared/reference/cases/m25-economia.json'))
const list=await (await fetch(url+'/api/experiments?limit=1',{headers:H})).json()
let base=(await (await fetch(url+'/api/experiments/'+list.experimentos[0].id,{headers:H})).json()).experimento
const inp={consultoria:'Raiz Forte',marca:'Dimicron',bu:'BU2',regional:'Sul',cidade:'Ijuí',estado:'RS',cultura:'Soja',cultivar:'X',ano:2025,tipo_estatistica:'DBC',custo_protocolo:44,tratamentos:m.experimento.tratamentos.map((t,i)=>({nome:['Testemunha','Nutrivia Raiz','Amino Foliar 2 doses','Dimi Fosfito','Nutrivia Raiz + Dimi Fosfito'][i],modalidade:'Foliar',produtividade:3000,custo:t.custo,produtos_aplicados:i?[{nome:'Nutrivia Raiz',dose:i*0.5,unidade:'L/ha',custo:null}]:[]}))}
const made=await (await fetch(url+'/api/experiments',{method:'POST',headers:H,body:JSON.stringify(inp)})).json()
const id=made.experimento.id
m.parcelas.tratamentos.forEach(t=>delete t.nome)
const r=await fetch(`${url}/api/experiments/${id}/plots`,{method:'PUT',headers:H,body:JSON.stringify({versao:0,...m.parcelas})}); console.log(r.status)
const b=await chromium.launch({executablePath:'/usr/bin/chromium'})
const shots=async(tag,path,opts={})=>{
 for (const [w,scheme] of [[1440,'light'],[1440,'dark'],[768,'light'],[390,'light'],[390,'dark']]){
  const c=await b.newContext({viewport:{width:w,height:w>500?1000:844},colorScheme:scheme})
  await c.addInitScript(s=>{localStorage.setItem('ensaio.auth.remember','1');localStorage.setItem('ensaio.auth.token',JSON.stringify(s))},session)
  const p=await c.newPage(); p.on('console',m=>m.type()==='error'&&console.log(tag,w,m.text())); p.on('pageerror',e=>console.log('PAGE',e.message))
  await p.goto(url+path); await p.waitForTimeout(2500)
  if(opts.act) await opts.act(p,w)
  await p.screenshot({path:`/tmp/econ/${tag}-${w}-${scheme}.png`,fullPage:true})
  if (await p.evaluate(()=>document.documentElement.scrollWidth>innerWidth)) console.log('WIDE',tag,w)
  await c.close()
 }}
const session=await (await fetch(url+'/auth/v1/token?grant_type=password',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({email:'demo@ensaio.local',password:'ensaio-de-campo'})})).json()
await shots('none',`/experimentos/${id}?aba=economia`)
const put=await fetch(`${url}/api/experiments/${id}/prices`,{method:'PUT',headers:H,body:JSON.stringify({versao:0,cultura:{preco:128.5,preco_baixo:100,preco_alto:150,unidade:'sc',kg_por_unidade:60,data:'2026-03',fonte:'CEPEA'},produtos:[{nome:'Nutrivia Raiz',preco:85,unidade:'L',data:'2026-02',fonte:'nota fiscal'}],aplicacao_rs_ha:35})}); console.log(put.status)
await shots('full',`/experimentos/${id}?aba=economia`)
await shots('resumo',`/experimentos/${id}`)
await shots('save',`/experimentos/${id}?aba=economia&preco=110`,{act:async(p,w)=>{ if(w<1024){await p.getByRole('button',{name:'Preços e custos'}).click(); await p.waitForTimeout(400); await p.screenshot({path:`/tmp/econ/sheet-${w}.png`})} await p.getByRole('button',{name:'Salvar preços'}).click(); await p.waitForTimeout(600)}})
await b.close()
