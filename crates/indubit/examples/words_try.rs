use indubit::run::*; use indubit::*; use std::time::Instant;
struct Tell; impl Observer for Tell { fn event(&mut self, e:&Event<'_>){ if let Event::Count{name,value}=e { if *value>0 { eprintln!("   {value} {name}"); } } } }
fn main(){ let a:Vec<String>=std::env::args().collect(); let text=std::fs::read(&a[2]).unwrap();
 let system = if a[2].ends_with(".vmt") { indubit::formats::vmt::parse(&text).unwrap() } else { indubit::formats::chc::parse(&text).unwrap().system };
 let secs:u64=std::env::var("T").ok().and_then(|t|t.parse().ok()).unwrap_or(20);
 let verbose=std::env::var("V").is_ok();
 for p in 0..system.properties.len() { let cancel=Cancel::new(); let c2=cancel.clone(); std::thread::spawn(move||{std::thread::sleep(std::time::Duration::from_secs(secs)); c2.cancel();});
 let mut o=Tell; let mut ig=Ignore; let mut run=if verbose {Run::new(cancel,&mut o)} else {Run::new(cancel,&mut ig)};
 let mut st=WordStrategy::from(word_engine(&a[1]).unwrap()); for s in &a[3..] { st.options.set(s).unwrap(); }
 let t=Instant::now(); let plan:WordPlan = if std::env::var("P").is_ok() {WordPlan::for_cores(2)} else {st.into()}; let v=match Circuit::new(&system) {Some(c)=>{let mut found=None; c.check_all(&[p],Portfolio::for_cores(2),&mut run,&mut |_,v| {found=Some(v); Next::GoOn}); found.unwrap()}, None=>check_words(&system,p,&plan,&mut run)};
 let w=match &v { Ok(Verdict::Safe(pr))=>{ if verbose { if let system::WordProof::Inductive{terms,invariant}=pr { eprintln!("{}",terms.display(*invariant)); } } "safe".to_string()}, Ok(Verdict::Unsafe(t))=>format!("unsafe {}",t.states.len()-1), Ok(Verdict::Unknown{stop,safe_up_to})=>format!("unknown {stop:?} {safe_up_to:?}"), Err(e)=>format!("ERROR {e}")};
 println!("{:.2} {} {} {}",t.elapsed().as_secs_f64(),a[1],w,a[2].rsplit('/').next().unwrap()); } }
