# -*- coding: utf-8 -*-
import argparse, os, sys, random, json, hashlib, tempfile, shutil, re, unicodedata, copy, collections, datetime as dt, traceback, time
sys.path.insert(0,os.path.dirname(os.path.abspath(__file__)))
from content import *; import render as R; import proc as X; import pymupdf, numpy as np
NOW=int(dt.datetime(2026,11,22,18,tzinfo=dt.timezone.utc).timestamp())
TYPES=["IDENTITY_CARD","PASSPORT","RESIDENCE_PERMIT","DRIVING_LICENCE","VEHICLE_REGISTRATION","BANK_DETAILS","PAYSLIP","TAX_NOTICE","INVOICE","PROOF_OF_ADDRESS","COMPANY_REGISTRATION","INSURANCE_CERTIFICATE"]
ENGS=["weasy","rl","chrome","fpdf","typst","rl","weasy","latex","fpdf","typst","docx","rl","weasy"]
LAY={"INVOICE":["colon","table","under","none"],"PROOF_OF_ADDRESS":["none","colon","prose","under","table"],"BANK_DETAILS":["table","colon","prose","under"],"COMPANY_REGISTRATION":["colon","table","prose","under"],"INSURANCE_CERTIFICATE":["prose","colon","under","table"],"OTHER":["prose"],"VEHICLE_REGISTRATION":["table","colon","under"],"PAYSLIP":["table","colon","under"],"TAX_NOTICE":["colon","under","table"]}
CC={"fr":["FR","CH","FR","BE","FR","QC"],"en":["UK","IE","CA","US","UK","CA"]}
cnt=collections.Counter()
norm=lambda t:re.sub(r"\s+","",unicodedata.normalize("NFKC",t.replace("\u00ad","")))
def text(path):
    d=pymupdf.open(path); t="".join(p.get_text() for p in d); d.close(); return norm(t)
def overflow(path):
    d=pymupdf.open(path); bad=False
    for p in d:
        for b in p.get_text("blocks"):
            if b[0]<-2 or b[2]>p.rect.width+2 or b[3]>p.rect.height+3: bad=True
    d.close(); return bad
def pick_design(t,lang,cardp):
    k=cnt[(t,lang)]; cnt[(t,lang)]+=1; ti=(TYPES+["OTHER"]).index(t)
    c=CC[lang][(k+ti)%6] if lang in CC else lang.upper()
    eng=ENGS[(k*3+ti)%len(ENGS)]; 
    if t in IDTYPES and eng=="latex": eng="rl"
    if lang not in("fr","en") and eng=="latex": eng="weasy"
    lays=LAY.get(t,["under","colon","table","prose"]); lay=lays[(k+ti)%len(lays)]
    if lang not in CC and lay=="prose": lay="colon"
    iscard=t in IDTYPES and (k%5 in cardp)
    if iscard: eng="card"; lay=["under","colon","under"][k%3]; lay="none" if t=="DRIVING_LICENCE" and k%2==0 and c not in("US","CA","QC") else lay
    return dict(t=t,c=c,eng=eng,theme=(k*5+ti)%8,lay=lay,w=(k+ti//2)%4)
def build(r,D,out):
    t=D["t"]; s=B(r,t,D["c"],D["w"],D["lay"])
    if D["eng"]=="card": idcard(s)
    elif t in IDTYPES: idpage(s)
    else: BUILD[t](s)
    R.setdate(s); s.ts=min(s.ts,NOW); return s
def draw(s,D,out):
    if D["eng"]=="card": R.card(s,out,D["theme"],D.get("page",True)); s.layout=D["lay"]
    else: R.ENG[D["eng"]](s,out,D["theme"])
def make(r,D,out,need=None,tries=6):
    err=None
    for k in range(tries):
        if k>=2 and D["eng"] in("docx","chrome","typst","latex"): D=dict(D,eng="weasy")
        try:
            s=build(r,D,out); draw(s,D,out); tx=text(out); miss=[f for f,v in s.fields.items() if norm(v) not in tx]
            if miss or overflow(out): err=("missing",miss,overflow(out)); continue
            if s.mrz if hasattr(s,"mrz") else None: assert mrz_ok(s.mrz)
            if "iban" in s.fields: assert iban_ok(s.fields["iban"])
            if need and not need(s,out): err="need"; continue
            s.D=D; return s
        except Exception as x: err=traceback.format_exc(limit=3)
    raise RuntimeError(f"{D} {err}")

# ---------------------------------------------------------------- entries
def other_digit(v,r):
    i=r.choice([i for i,ch in enumerate(v) if ch.isdigit()][1:] or [0]); return v[:i]+r.choice([x for x in "0123456789" if x!=v[i]])+v[i+1:]
def entries(s,r):
    fs=list(s.fields); out=[]
    if not fs: return []
    allf={"IDENTITY_CARD":"lastName firstName birthDate documentNumber expiryDate nationality","DRIVING_LICENCE":"lastName firstName birthDate documentNumber expiryDate"}
    tgt=min(9,max(3,len(fs)+r.choice([0,0,1])))
    r.shuffle(fs); seq=(fs*3)[:tgt]; want="MATCH" if r.random()<.5 else "MISMATCH"
    for i,f in enumerate(seq):
        v=s.fields[f]; raw=s.raw[f]
        if want=="MATCH":
            o=[]
            if f in("birthDate","expiryDate","issueDate"): o=[(raw.isoformat(),"other date notation"),(f"{raw.day} {MONTHS['fr' if s.fr else 'en'][raw.month-1]} {raw.year}","other date notation"),(raw.strftime("%d.%m.%Y") if raw.day>12 or s.c not in("US","CA","QC") else raw.isoformat(),"other date notation"),(v,"as printed")]
            elif f in("netAmount","totalAmount"): o=[(f"{float(raw):.2f}","plain number"),(v,"as printed"),(money(float(raw),s.c,False),"without currency")]
            elif f=="iban": o=[(v.replace(" ",""),"without spaces"),(v.lower(),"lower case"),(grp(v.replace(" ","")),"in groups of four")]
            elif f in("documentNumber","invoiceNumber","policyNumber","registrationNumber"): o=[(v,"as printed"),(v.lower(),"lower case"),(v.replace(" ",""),"without spaces"),(re.sub(r"[-.\s]","",v) if f!="invoiceNumber" else v,"without separators")]
            elif f=="postCode": o=[(v,"as printed"),(v.replace(" ",""),"without spaces"),(v.lower(),"lower case")]
            elif f=="address":
                o=[(v,"as printed"),(v.upper(),"upper case"),(strip_acc(v).lower(),"accents left out")]
                for a,b in(("avenue","av."),("Avenue","Av."),("boulevard","bd"),("Road","Rd"),("Street","St"),("Avenue","Ave"),("Chemin","Ch."),("chemin","ch."),("place","pl."),("Crescent","Cres"),("Drive","Dr")):
                    if a in v: o.append((v.replace(a,b),"abbreviated street")); break
            elif f=="accountHolder":
                x=re.sub(r"^(Mme|M\.|Mr|Ms|Mrs|Madame|Monsieur) ","",v); o=[(v,"as printed"),(x,"without title"),(strip_acc(x).upper(),"accents left out, upper case")]
                a,b=s.firstn,s.last; o.append((f"{b} {a}","names in another order"))
            elif f=="firstName": o=[(v,"as printed"),(v.title() if v.isupper() else v.upper(),"other case"),(strip_acc(v).lower(),"accents left out")]
            else: o=[(v,"as printed"),(v.upper(),"upper case"),(strip_acc(v).lower(),"accents left out"),(v.title() if v.isupper() else v.lower(),"other case")]
            val,how=r.choice(o)
        else:
            how="another value"
            if f in("birthDate","expiryDate","issueDate"):
                n=raw
                while n==raw: n=raw+dt.timedelta(days=r.choice([1,-1,10,365,-31,3653]))
                val=r.choice([fdate(n,s.c,0) if s.c not in("US",) else n.isoformat(),n.isoformat()]); how="another day"
            elif f in("netAmount","totalAmount"): val=f"{float(raw)+r.choice([10,100,-50,200.5,.9]):.2f}"; how="another amount"
            elif any(ch.isdigit() for ch in v) and f not in("address","firstName","lastName","companyName","issuer","accountHolder"): val=other_digit(v,r); how="one digit changed"
            elif f=="address" and r.random()<.5 and re.search(r"\d",v):
                m=re.search(r"\d+",v); val=v[:m.start()]+str(int(m[0])+r.choice([2,4,11]))+v[m.end():]; how="another house number"
            elif f=="companyName" or f=="issuer":
                val=v
                while norm(val).lower()==norm(v).lower(): val=company(r,s.c)
                how="another company"
            elif f=="nationality": val=r.choice([x for x in ["Portugaise","Italienne","Suédoise"] if x!=v]) if s.fr else r.choice(["Norwegian","Maltese","Polish"]); how="another nationality"
            else:
                val=v
                while strip_acc(val).lower() in strip_acc(v).lower() or strip_acc(v).lower() in strip_acc(val).lower():
                    q=Person(r,s.c); val={"lastName":q.last,"firstName":q.first,"city":q.city,"address":q.street}.get(f,f"{q.first} {q.last}")
                how="another person" if "ame" in f or f=="accountHolder" else "another place"
        e=dict(field=f,value=val,expected=want,how=how)
        if not any(x["field"]==f and x["value"]==val for x in out): out.append(e)
        want="MISMATCH" if want=="MATCH" else "MATCH"
    # a value the document does not print at all
    if len(out)<9 and r.random()<.15:
        c=[x for x in ("iban","policyNumber","birthDate","netAmount","invoiceNumber") if x not in s.fields]
        if s.type=="BANK_DETAILS" and "iban" not in s.fields: c=["iban"]
        if s.type in("IDENTITY_CARD","RESIDENCE_PERMIT","PASSPORT","PAYSLIP") or s.type=="OTHER": c=[x for x in c if x not in("birthDate","netAmount")]
        if s.type=="PAYSLIP" or s.type=="INVOICE": c=[x for x in c if x in("policyNumber",)]
        if s.type=="INSURANCE_CERTIFICATE": c=[x for x in c if x in("iban","netAmount")]
        if s.type=="COMPANY_REGISTRATION": c=["iban"]
        if c:
            f=r.choice(c); ib=make_iban(r,"FR")[0]; val={"iban":grp(ib),"policyNumber":digits(r,9),"birthDate":"1984-05-17","netAmount":"2214.60","invoiceNumber":"F"+digits(r,6)}[f]; out.append(dict(field=f,value=val,expected="MISSING",how="not printed"))
    while len(out)<3:
        f=fs[0]; v=other_digit(s.fields[f],r) if re.search(r"\d",s.fields[f]) else Person(r,s.c).last+"x"; out.append(dict(field=f,value=v,expected="MISMATCH",how="another value"))
    return out[:9]
def langs(r,t,n):
    if t in("INVOICE","PROOF_OF_ADDRESS"): o=["de","es","it","nl","pt"]; r.shuffle(o); return (o[:3]+["fr","en","fr","en","fr"])[:n]
    return (["fr","en"]*4)[:n] if n%2 or r.random()<.5 else ["fr","en","fr","en","fr","fr","en","fr"][:n]

LOCAP=[0]
def main():
    ap=argparse.ArgumentParser(); ap.add_argument("--out",required=True); ap.add_argument("--seed",type=int,default=907); ap.add_argument("--part",default=""); A=ap.parse_args()
    out=A.out; os.makedirs(out,exist_ok=True); t0=time.time()
    for f in os.listdir(out): os.remove(os.path.join(out,f)) if os.path.isfile(os.path.join(out,f)) else None
    tmp=tempfile.mkdtemp(); docs=[]; fails=[]; ids=list(range(1,331)); r=random.Random(A.seed); r.shuffle(ids)
    def rec(s,path_ext,cls,med,kind,tmpf,**k):
        i=ids[len(docs)]; fn=f"d{i:04d}.{path_ext}"; shutil.move(tmpf,os.path.join(out,fn)); b=open(os.path.join(out,fn),"rb").read()
        e=dict(id=f"rowan-{i:04d}",file=fn,sha256=hashlib.sha256(b).hexdigest(),**{"class":cls},medium=med,kind=kind,type=s.type,lang=s.lang,producer=str(s.producer),layout=s.layout if s.type!="OTHER" else "prose",fields=dict(s.fields)); e.update(k); docs.append(e); return e
    def kind(D): return f"{D['t'].lower()}_{D['c'].lower()}_{D['eng']}{D['theme']}_{D['lay']}"
    tp=os.path.join(tmp,"a.pdf")
    # genuine
    for med in("pdf","scan"):
        plan=[]
        for i,t in enumerate(TYPES): plan+=[(t,l) for l in langs(r,t,8 if (i%3 or med=="x") else 7)]
        plan+=[("OTHER",l) for l in ["fr","en"]*4]
        plan=plan[:100]; assert len(plan)==100,len(plan)
        for j,(t,l) in enumerate(plan):
            rr=random.Random(f"{A.seed}{med}{j}"); D=pick_design(t,l,(0,2,3) if med=="pdf" else (0,1,2,3)); 
            if D["eng"]=="card" and med=="pdf": D["page"]=rr.random()<.5
            s=make(rr,D,tp); D=s.D
            if med=="pdf": e=rec(s,"pdf","genuine","pdf",kind(D),tp,entries=entries(s,rr))
            else:
                m=["scan_pdf","scan_jpeg","scan_pdf","scan_jpeg","scan_png","scan_pdf"][j%6]; o=os.path.join(tmp,"o"); ts=min(s.ts+rr.randint(3600,25*86400),NOW)
                s.producer,sty=X.scan(tp,o,rr,ts,m,getattr(s,"cardbox",None) if D["eng"]=="card" else None); rec(s,{"scan_pdf":"pdf","scan_jpeg":"jpg","scan_png":"png"}[m],"genuine",m,kind(D)+"_"+sty,o,entries=entries(s,rr))
        print(med,len(docs),int(time.time()-t0),flush=True)
    # benign
    bl=[h for h,n in X.BENIGN for _ in range(n)]; assert len(bl)==50,len(bl)
    for j,how in enumerate(bl):
        rr=random.Random(f"{A.seed}b{j}"); t=(TYPES+["OTHER"])[j%13]; l="fr" if (j//13+j)%2 else "en"; need=None
        if how=="page_extracted": t=["TAX_NOTICE","COMPANY_REGISTRATION"][j%2]; need=lambda s,o:len(pymupdf.open(o))>1
        if t=="OTHER" and how in("highlight_added",): t="INVOICE"
        o=os.path.join(tmp,"o.pdf")
        for k in range(5):
            try:
                D=pick_design(t,l,(0,)); 
                if how=="page_extracted": D["lay"]="colon"
                s=make(rr,D,tp,need,40 if need else 6); h0=hashlib.sha256(open(tp,"rb").read()).hexdigest(); X.benign(how,tp,o,s,rr,s.ts); break
            except Exception as x: err=traceback.format_exc(limit=4); print("benign retry",how,err[-300:],flush=True)
        else: raise RuntimeError(err)
        med={"ocr_layer_added":"scan_pdf","photo_sent_by_messenger":"scan_jpeg"}.get(how,"pdf")
        if how=="page_extracted":
            tx=text(o); s.fields={k:v for k,v in s.fields.items() if norm(v) in tx}
        if med!="scan_jpeg":
            try: s.producer=pymupdf.open(o).metadata.get("producer") or ""
            except Exception: pass
        e=rec(s,"jpg" if med=="scan_jpeg" else "pdf","benign",med,how,o); e["sha_src"]=h0; e["design"]=kind(s.D)
    print("benign",len(docs),int(time.time()-t0),flush=True)
    # forged
    for j in range(80):
        how=X.FORGE[j%10]; rr=random.Random(f"{A.seed}f{j}"); t=TYPES[(j*5+j//10)%12]; l="fr" if (j//10+j)%2 else "en"
        if t in("INVOICE","PROOF_OF_ADDRESS") and j%8==3: l=["de","es","it"][j%3]
        o=os.path.join(tmp,"o.pdf")
        for k in range(12):
            try: 
                e=forge1(rr,how,t,l,tp,o,tmp,k); break
            except Exception as x:
                err=traceback.format_exc(limit=4)
                if k>2: print("forge retry",how,t,err[-260:].replace("\n"," | "),flush=True)
                if k>5: t=TYPES[(TYPES.index(t)+1)%12]
        else: raise RuntimeError(err)
        s,what,knd,diff=e; 
        try: s.producer=pymupdf.open(o).metadata.get("producer") or ""
        except Exception: pass
        rec(s,"pdf","forged_pdf","pdf",how,o,what=what,design=knd,differs=diff)
    print("forged",len(docs),int(time.time()-t0),flush=True)
    for d in docs: d.pop("differs",None) if d.get("differs") else None
    fails=check(docs,out)
    for d in docs: d.pop("sha_src",None)
    docs.sort(key=lambda d:d["id"]); json.dump(dict(maker="rowan",reference_date="2026-11-25",seed=A.seed,documents=docs),open(os.path.join(out,"labels.json"),"w",encoding="utf-8"),ensure_ascii=False,indent=1)
    shutil.rmtree(tmp); print("FAILS",len(fails)); [print("  ",f) for f in fails]
    for k in("class","medium","type","lang","layout"): print(k,dict(collections.Counter(d[k] for d in docs)))
def pixdiff(a,b):
    x,y=X.raster(a,50).astype(int),X.raster(b,50).astype(int); return x.shape!=y.shape or np.abs(x-y).max()>40
def rep(blocks,old,new,limit=None):
    n=[0]
    def f(x):
        if isinstance(x,str):
            if old in x and (limit is None or n[0]<limit): n[0]+=1; return x.replace(old,new)
            return x
        if isinstance(x,tuple): return tuple(f(y) for y in x)
        if isinstance(x,list): return [f(y) for y in x]
        return x
    return f(blocks),n[0]
def forge1(r,how,t,l,tp,o,tmp,k):
    if how=="invented_with_inner_contradiction" and t in("COMPANY_REGISTRATION","INSURANCE_CERTIFICATE","VEHICLE_REGISTRATION","PROOF_OF_ADDRESS","DRIVING_LICENCE"): t=r.choice(["BANK_DETAILS","PAYSLIP","INVOICE","TAX_NOTICE","PASSPORT","IDENTITY_CARD"])
    D=pick_design(t,l,(0,2)); kd=lambda D:f"{D['t'].lower()}_{D['c'].lower()}_{D['eng']}{D['theme']}_{D['lay']}"
    if how=="same_font_stream_edit" and D["eng"] not in("rl","card"): D["eng"]="rl"
    if how=="browser_inspector_reprint": D["eng"]="weasy"; D["lay"]="under" if t in IDTYPES else D["lay"]
    if how=="reissued_in_word_processor" and D["eng"]=="card": D["eng"]="rl"; D["lay"]="colon"
    if how=="invented_with_inner_contradiction":
        D["c"]={"fr":["FR","CH","BE"],"en":["UK","IE"]}.get(l,[D["c"]])[k%(3 if l=="fr" else 2)] if l in("fr","en") else D["c"]
        if t in IDTYPES: D["eng"]="card"; D["lay"]="under"
    s=make(r,D,tp); D=s.D; cands=[c for c in X.FPRI[t] if c in s.fields] or list(s.fields); code=cands[(r.randint(0,9)+k)%len(cands)]
    if how=="invented_with_inner_contradiction":
        code={"BANK_DETAILS":"iban","PAYSLIP":"netAmount","INVOICE":r.choice(["totalAmount","iban"]),"TAX_NOTICE":"totalAmount"}.get(t) or r.choice(["birthDate","expiryDate","documentNumber"])
    old=s.fields[code]; new=X.newval(s,code,r); note=""
    if how=="invented_with_inner_contradiction":
        if code=="iban":
            while iban_ok(new): new=other_digit(old,r)
            note=" (check digits of the IBAN do not hold)"
        elif t in IDTYPES: assert s.mrz; note=" (the machine-readable zone says otherwise)"
        else: note=" (the sums do not add up)"
    assert new!=old
    if how in("browser_inspector_reprint","reissued_in_word_processor","invented_with_inner_contradiction"):
        s2=s; s2.fields[code]=new
        if D["eng"]=="card" : assert how=="invented_with_inner_contradiction"; R.card(s,o,D["theme"],D.get("page",True))
        else:
            s.blocks,n=rep(s.blocks,old,new,1 if r.random()<.25 and how!="invented_with_inner_contradiction" else None); assert n
            eng={"browser_inspector_reprint":"chrome","reissued_in_word_processor":"docx"}.get(how,D["eng"])
            if eng=="docx" and k>2: eng="chrome"
            if how!="invented_with_inner_contradiction": s.ts=min(s.ts+r.randint(86400,90*86400),NOW); os.environ["SOURCE_DATE_EPOCH"]=str(s.ts)
            R.ENG[eng](s,o,D["theme"])
    else:
        oth=None
        if how=="spliced_from_other_document":
            oth=os.path.join(tmp,"z.pdf"); cd=[c for c in("lastName","accountHolder","iban","address","companyName","documentNumber","birthDate","policyNumber","netAmount","totalAmount") if c in s.fields]; code=r.choice(cd[:4]); old=s.fields[code]
            z=make(r,D,oth); assert code in z.fields; new=z.fields[code]; assert new!=old and abs(len(new)-len(old))<8
        if how=="same_font_stream_edit" : assert all(ord(ch)<256 or ch in"€–’" for ch in new)
        note=X.forge(how,tp,o,s,code,old,new,r,s.ts,oth)
        s.fields[code]=new
    assert pixdiff(tp,o),"no visible change"
    if how not in("picture_patch_over_value","freetext_annotation_over"): assert norm(new) in text(o),"new value not in text"
    return s,f"{code}: '{old}' -> '{new}'{note}",kd(D),True
def check(docs,out):
    F=[]
    for d in docs:
        p=os.path.join(out,d["file"]); b=open(p,"rb").read()
        if hashlib.sha256(b).hexdigest()!=d["sha256"]: F.append((d["id"],"sha"))
        try:
            if d["file"].endswith(".pdf"):
                D=pymupdf.open(p); assert len(D)>0; D[0].get_pixmap(dpi=30); md=D.metadata
                for kk in("creationDate","modDate"):
                    m=re.match(r"D:(\d{8})",md.get(kk) or "")
                    if m and m[1]>"20261123": F.append((d["id"],kk,m[1]))
            else: X.Image.open(p).load()
        except Exception as x: F.append((d["id"],"open",str(x))); continue
        if d["medium"]=="pdf" and d["class"] in("genuine","benign"):
            tx=text(p)
            for f,v in d["fields"].items():
                if norm(v) not in tx: F.append((d["id"],d["kind"],"not in text layer",f,v))
        if d["medium"]=="scan_pdf" and d["class"]=="genuine" and text(p): F.append((d["id"],"scan has text"))
        if d["class"]!="forged_pdf" and "iban" in d["fields"] and not iban_ok(d["fields"]["iban"]): F.append((d["id"],"iban"))
        if d["class"]=="forged_pdf" and not d.get("what"): F.append((d["id"],"what"))
        if d["class"]=="benign" and d.get("sha_src")==d["sha256"]: F.append((d["id"],"benign unchanged"))
        for e in d.get("entries",[]):
            v=d["fields"].get(e["field"]); q=lambda x:re.sub(r"[^a-z0-9]","",strip_acc(x).lower())
            if e["expected"]=="MISSING" and v is not None: F.append((d["id"],"MISSING printed"))
            if e["expected"]=="MISMATCH" and (v is None or q(v)==q(e["value"])): F.append((d["id"],"MISMATCH equal",e))
            if e["expected"]=="MATCH":
                if v is None: F.append((d["id"],"MATCH absent"))
                elif e["how"] in("as printed","upper case","lower case","other case","accents left out","without spaces","without separators") and q(v)!=q(e["value"]): F.append((d["id"],"MATCH differs",e))
        if d["class"]=="genuine" and d["type"]!="OTHER" and not 3<=len(d["entries"])<=9: F.append((d["id"],"entries",len(d["entries"])))
    c=collections.Counter((d["class"],d["medium"].split("_")[0]) for d in docs)
    if len(docs)!=330 or c[("genuine","pdf")]!=100 or c[("genuine","scan")]!=100 or sum(d["class"]=="benign" for d in docs)!=50 or sum(d["class"]=="forged_pdf" for d in docs)!=80: F.append(("counts",dict(c)))
    if len({d["sha256"] for d in docs})!=len(docs): F.append(("duplicates",))
    return F
if __name__=="__main__": main()
